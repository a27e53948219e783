import type { Language } from './language.ts'

const listed = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * Words of spoken language that go with any topic, folded: fillers and forms of address, judgements, vague
 * amounts and times, and verbs without an object of their own.
 */
const SPOKEN: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: listed(`
    ok okay lol haha omg btw fyi pls plz thx ta cheers hiya heya yo yeah yep yup nope nah hmm erm um uh oh ah
    ooh aww wow gosh blimey crikey alright righto right sorry apologies pardon excuse
    guys guy folks buddy pal dude bro sir madam maam dear darling everyone
    cos coz cause tho though although however anyway anyways plus except unless whether till until
    him himself herself itself themselves whoever whatever whichever none neither nobody nothing nowhere
    somewhere someplace elsewhere somehow otherwise apart away around along across round
    few fewer lot lots loads bunch several plenty bit bits piece tons heaps handful less least most
    ago anymore already lately recently nowadays meantime eventually finally
    suddenly immediately straight straightaway asap twice once sometimes rarely often
    real really quite pretty rather fairly super totally absolutely completely entirely definitely def deffo defo
    certainly surely probably maybe perhaps possibly basically literally honestly honest seriously obviously
    apparently hopefully unfortunately luckily generally normally typically mostly mainly especially particularly
    roughly approximately approx nearly almost hardly barely proper decent lovely nice great amazing awesome
    brilliant fantastic wonderful perfect beautiful gorgeous cute fab fine awful terrible horrible rubbish
    crap silly stupid daft weird odd strange funny mad crazy sad happy glad pleased excited keen curious
    confused stuck unsure sure worried nervous interested disappointed annoyed upset
    idea ideas clue guess chance chances luck matter point fact deal case stuff thingy whatsit bother fuss fancy
    wonder wondered wondering reckon suppose think thinking thought knew known guess guessing assume expect
    expecting believe remember forgot forget saw seen noticed notice told tells telling says
    said saying asked asking asks talked talking spoke
    go goes went gone come comes coming came take takes took taken taking give gave given giving
    gets got gotten getting make made put puts keep keeps kept keeping let lets
    wanna gonna gotta wanted wanting hoping hoped
    intend decide decided like liked loved hate hated prefer preferred enjoy mind minded
    seem seems seemed looks looked looking feel feels feeling felt turns turned ended ends
    start started starting begin began stop stopped help helps helped helping sort sorted sorting
    pop popping popped nip grab sneak
    does dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt shouldnt cant cannot aint havent hasnt
    hadnt ive youve weve theyve id youd wed theyd ill youll theyll hes shes its thats theres whats wheres whos
    hows im youre were theyre gimme lemme dunno
    afford supposed allowed able bound likely willing obliged due
    somebody anyone anybody main similar exact exactly general overall
    next last previous past current latest recent closest further far near away
    higher lower faster fastest cheaper better worse worst
    kinda sorta type types sort kinds
    actual regarding concerning per via versus vs etc eg ie rn atm tbh imo aka
    n u ur r b w c pt pm
`),
  tr: listed(`
    ya yaa yav yahu be bee ay aa oo hani iste yani falan filan falanda fln vs vb ok okey tamam tmm tmmm evet hayir
    yok yoo hmm haa hee eee ee aynen tabi tabii elbette kesin kesinlikle galiba sanirim sanki herhalde heralde
    belki bence sence aslinda zaten artik illa ille illaki mutlaka ozellikle genelde genellikle normalde
    hemen hemencecik simdilik sonradan onceden demin yine gene tekrar yeniden bazen arada ara sira surekli
    daima hala halen henuz anca ancak bari keske insallah inshallah masallah maalesef malesef umarim
    cidden gercekten valla vallahi vallaha billa acayip asiri baya bayagi epey oldukca fazla fazlaca biraz birazcik
    azicik az azca kac kacar kere defa kez sefer sefere kerede seferde tum hepsi hepsini butun bircok bikac birkac
    birisi birine birini kimse kimseye kimsenin kimseler kendi kendine kendisi kendime kendimiz herkes herkese
    hicbir hicbiri hicbisey bisey biseyler bisi bisiler birsey birseyler bsey sey seyi seyin seyler oyle boyle soyle
    orda orada ordan oradan oraya orasi orasinin burda burada burdan buradan buraya burasi buranin surda surada
    suradan suraya surasi icerde yanina yaninda
    ustunde ustundeki altinda altindaki onunde arkasinda arasinda ortada ortalikta etrafta karsida
    onun onunuzden sizinki benim benimki bizimki bunlar bunlari bunlara sunlar onlari onlara ona buna suna
    canim canimiz abicim abla ablacim efendim kardesim hocam ustam arkadaslar reis
    iyi iyiyim guzel guzelce guzelmis super harika mukemmel muhtesem berbat kotu rezil rezalet sacma garip tuhaf
    hos hosuma begendim begenirim begenmedim gitmedi gitti
    mecbur mecburen gerek gerekli gerekir lazim zorunda sart zor kolay zahmet zahmetsiz mumkun mumkunse imkan
    imkani imkaniniz ihtimal durum durumda durumu konu konuda konusunda sekilde sekli suanda suan su
    merak ediyorum etmistim bakmistim demistim demistiniz diyorum diyolar diyorlar dediler demisler demis
    sormustum sorcaktim soracaktim sorayim sorim sormadan ogrenebilir ogrensem ogrenim
    sanmistim saniyordum dusunuyorum dusunuyoruz dusundum dusunsem istemistim isterdik istesem istesek
    ozur dilerim pardon kusura bakmayin rica ederim ederiz helal olsun emeginize emeginiz emegine sagliginiza
    yardim yardimci olabilir olabilirmisiniz olurmu oluyomu varmi yokmu varmidir mumkunmu
    turlu cesit cesidi tip tipi
    neyi neyle neyin neymis nasi nasil nası nerde nerden nereye naber napcam napicam napmaliyim noldu nolur
    nolcak niçin nicin neyse misal mesela ornegin
    hep bile dahi disinda dolayi yuzunden sayesinde gore ragmen kadarki
    cabuk cabucak yavas
    gozume gozum aklima aklim icime icim kafam kafama
`),
  de: listed(`
    ok okay hm hmm naja tja ach oh hey hi moin servus gruss gruesse grusse liebe lieber
    ihr euer eure euren eurer eurem eurer euch ihnen dein deine deinen deiner deinem seine seiner unserem unseren
    unserer dieses dieser diese diesen diesem jener jene jedes jeder jede jeden jedem alle allen alles allem
    einige einigen mehrere manche manchmal viele vielen wenig wenige weniger bisschen ganz ganze ganzen
    einzeln einzelne andere anderen anderer anderes jemand jemanden niemand niemanden nichts irgendwas
    irgendwie irgendwo irgendwann irgendein irgendeine sowas solche solchen selbst selber sich einander
    sonst ausserdem trotzdem deshalb darum daher dafur damit davon daran darauf daraus
    dabei dazu danach davor darin dahin hin her hierher raus rein rauf runter weg wieder nochmal erneut
    einfach sofort gleich immer nie niemals oft
    haufig selten meist meistens normalerweise eigentlich wirklich echt ziemlich total absolut unbedingt sicher
    bestimmt vielleicht eventuell moglich moglicherweise wahrscheinlich hoffentlich leider ungefahr circa etwa
    fast knapp genau gerade eben ebenfalls zwar obwohl wahrend bevor nachdem seit bis falls sobald solange
    schon schlecht gut gute guten guter gutes toll super klasse prima schlimm blod komisch egal
    mag magst mochten mochtest mochtet will willst wollen wollt wollte wollten sollte sollten sollen soll sollt
    darfst durft durfte durften musst musste mussten konnt konnte konnten kannst lasst lassen lasse nehmen nimmt
    nehmt genommen geben gebt gegeben gehen ging gegangen komme kommen kommt machen mache macht gemacht tun tut
    getan finde finden findet gefunden sehe sehen sieht gesehen sagen sagt gesagt
    fragen fragt gefragt denke denken gedacht glaube glauben weiss wusste gewusst heisst heissen bedeutet
    stimmt gilt gelten passt passen klappt klappen lauft laufen hilft helfen geholfen
    interessiere interessiert wundere sorry entschuldigung verzeihung
    art arten sache sachen ding dinge fall falle teil teile idee ahnung problem grund moment gelegenheit
    jetzt nun aktuell derzeit momentan inzwischen
`),
  ar: listed(`
    طيب تمام اوكي يعني بس يلا والله ان شاء الله اهلا هلا مرحبا السلام عليكم اخي اختي حضرتك حضرتكم استاذ عزيزي
    شو ايش وش ليش لماذا وين فين منين امتي ايمتي قديش كيفية ازاي شلون هلق الان حاليا حالا بعدين قبل بعد لما عندما
    اذا لو حتي ايضا كمان فقط كل بعض جميع اي اية شي شيء اشياء حاجة حاجات احد حدا واحد واحدة كثير كتير قليل شوية
    جدا اكثر اقل افضل احسن جيد حلو ممتاز سيء صعب سهل بسرعة بسيط
    ابغي ابي عايز عاوز بدي حابب حابة احب نريد نحتاج احتاج لازم ضروري بقدر اقدر استطيع نستطيع يمكننا
    قلت قال قالوا سالت اسال اعرف عرفت افهم اظن اعتقد اتمني اتوقع ارجو رجاء من فضلك فضلكم عفوا اسف
    عن علي الي منه منها فيه فيها لها له لهم معي معنا معكم عندي عندنا هناك هنا هون هيك كذا مثل زي سوي
    الذي التي الذين هذي هاي دي ده دول تلك اولئك نفس نفسي لنفسي انفسنا
    يكون تكون كنت كانت كانوا صار صارت يصير اصبح ليس ليست لسنا مش مو ما
`),
}

/** Whether a folded word goes with any topic in the spoken language of a question. */
export const isSpokenWord = (folded: string, language: Language | undefined): boolean =>
  language !== undefined && SPOKEN[language].has(folded)
