import type { Language } from './language.ts'

const listed = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * Words of spoken language that go with any topic, folded: fillers and forms of address, judgements, vague
 * amounts and times, and verbs without an object of their own.
 */
const SPOKEN: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: listed(`
    aargh abit able abot absolute absolutely absurd abt abuot acceptable accidentally accordingly actual actualy
    additionally admittedly advise advised advising afaik affect affected affects afford afterward afterwards
    again ago agree agreed ah aha ahead ahem ahh ahhh ain aint aka albeit alike alil allready allright allways
    almost alongside alot already alredy alright alrighty alternatively altho although altogether alwasy amazing
    amid among amongst amount amounts annoyed annoying answer answered answers anybody anyhow anymore anyone
    anyones anythin anyting anyway anyways anywho apart apologies apologise apologize apols appalling apparently
    appeared appears applies appreciate appreciated appreciates appropriate approx approximately arent argh
    around asap asked askin asking asks aslong aspect assume assuming assure aswell atleast atrocious attempt
    attempted attempting avail availabe availble availible avaliable avalible aw aware away awesome awful
    awfully awhile aww aye bad badly bah barely based basically bcos bcoz bcuz beautiful became becasue become
    becomes becoming becos becuse becuz beforehand began begin beginning bein believe believed believes belong
    belongs beneath besides better beyond bit bits blah blimey boring bossman both bother bothered bothering
    bound brilliant bro bruh bruv btw buddy bunch bye byebye came cannot cant capable cause certainly champ
    chance chances cheerio cheers chief ciao circumstance circumstances clarification clarified clarify cld
    clearly clever closest clue clueless cn cnt come comes comin coming commonly completely complicated concern
    concerned concerning concerns confused confusing consequently consider considered considering consist
    consistently consists constantly continuously cos coud coudl couldnt couldve countless coz crap crazy crikey
    crucial cud cudnt curious current currently cute cuz cya daft dang dare darling darn dat dealing dealt dear
    dearest dears decent decide decided def deffo definately definatly definitely defintely defo defos defs
    deliberately delightful dem depend depending depends describe described describing desperate despite dey
    didnt diferent differ differently differs difficult diffrent directly dis disappointed discuss discussed
    discussing disgraceful dislike dislikes dnt dodgy doesent doesnt doess doin dont doodah dosent dosnt doubt
    doubtful doubts dreadful dreadfully dude due duh dunno eachother eager easier easily eek effing eg else
    elsewhere embarrassed ended enjoy enjoyed enjoying enormous enquire enquiries enquiring entirely erm ermm
    err errr especially etc etcetera even eventually eventualy everthing everybodys everyone everyones everythin
    everytime evidently evrything exact exactly excellent except exceptional excited exciting excuse exist
    existing exists expect expectation expectations explained explaining explains extremely fab fabulous fact
    fairly familiar fantastic far faster fastest fav fave favorite favourite feel feeling feels fella fellas
    fellow felt few fewer ffs figured figuring finally finding finds finna firstly flippin flipping folks follow
    followed following follows forget forgot formerly fortunately forward frankly freakin freaking frequently
    frigging frm frustrated frustrating fully funny further furthermore fuss future fwiw fyi gal gals gave gd
    gday geez general generally genuinely gets gettin getting ghastly gimme gimmie give given giving gizmo glad
    go goes goin gone gonna goodbye goodness gorgeous gosh gotcha gotta gotten gr8 grab gracious gradually
    grateful great greetings grim grt gubbins gud guess guessed guessing gunna gutted guy guys hadn hadnt haev
    hah haha hahaha hahahaha hallo handful handy happening harder hardest hardly hasn hasnt hassle hate hated
    hates hav haven havent haveta havin heaps heck heh hehe hehehe hell helloo helo help helped helping helps
    hence heres herself hes hesitant heya heyy higher highly hii him himself hisself hiya hmm hmmm hon honest
    honestly hooray hoped hopefully hopeless hopin hoping horrendous horrible horribly horrid howcome howd howdy
    however hows hte huge hullo hun hve hw hwo icymi idc idea ideal ideally ideas idk ie iirc ima imagine
    imagined imma immediate immediately imo important importantly impossible impressed impressive inbetween
    incase including incorrectly increasingly incredible incredibly indeed infact initially inquire inquiries
    inquiring insanely instantly intend intended intending intends intention intentions interested interesting
    interrested intersted intreseted intrested involve involved involves involving iow irl irrespective isnt itd
    itll itself ive jeez jk jst jsut jus keen kinda kindly kinds kk knew kno knowing known knows knw lastly
    lately laters latest least legit lemme less lets liked likely likes likewise liking literally lmao loads lol
    lolz looked lookin looking looks lot lots lousy loved lovelies lovely loves loving lower luck luckily
    ludicrous luv lyk maam mad madam made magnificent main mainly majority make makin marvellous marvelous
    massive matter mattered matters maybe meant meantime meh mention mentioned mentioning mentions mere merely
    mhm mightn mightnt mightve mind minded misleading mistake mistakenly mmm momentarily moreover most mostly
    mustn mustnt mustve n naff nah namely natch naturally naw nay near nearly necessarily needin needing needn
    neednt neither nevermind nevertheless next ngl nice nip nobody none nonetheless noo noone nop nope normal
    normally nothin nothing notice noticed notwithstanding nowadays nowdays nowhere nt nto numerous nvm obliged
    obv obviously obvs occasionally occur occurred occurs odd oddly ofc ofcourse often oh ohh ohhh ohk ok okay
    okayish okayy okey oki okk omg once ones oneself onto oof ooh ooops oops opinion opinions option options
    ordinary originally others otherwise oughta oughtn ourself out outstanding overall overwhelmed pal pardon
    partially particular particularly partly past pathetic per perfect perhaps personally pfft phew plannin
    pleas pleased pleez plenty plese pls plss plus plz pm pointless pondering pop popped popping possable
    possibilities possibility possibly prefer preferably preference preferred preferring prefers presently
    presumably pretend pretty previous previously prob probably probally probaly probly probs proceed prolly
    promptly proper provided purchased purely purposely put puts qs queries query ques questions quite r random
    rarely rather realise realised realising realize realized realizing really realy reasonable reasonably
    reccomend recent recently reckon reckoned recomend recomended regarding regardless regards regularly relate
    related relating relatively rele relevant reluctant remain remainder remaining remains remember replied
    requires requiring respected respectively responded rest ridiculous ridiculously right righto rlly rly rn
    rofl roughly sad sadly said saw saying says scarcely secondly seeing seem seemed seeming seems seen sees
    seldom sensible serious seriously several shan shant shd sheesh shes shld shocked shocking shoddy shortly
    shoud shoudl shouldnt shouldve showed shown shud shudnt silly similar similarly since sir situated situation
    sketchy slightly sme smh smth smthing sneak solely somebody someday somehow someones someplace somethin
    sometime sometimes somewhat somewhere somtimes soo sorry sort sorta sorted sorting soz specifically splendid
    srry sry start started startin starting sth stopped straightaway straightforward strange strangely strictly
    struggle struggled struggling stuff stupid suddenly sufficiently suggest suggested suggesting suggestion
    suggestions suitable suitably sumone sumthin sumthing super superb suppose supposed supposedly supposes
    supposing sure surely surprised surprising surprisingly suspect sweetheart ta taht take taken takes takin
    taking tbh teh tellin telling tells tempted tend tends terrible terribly terrific thankful thankfully
    thankss thanku thankx thankyou thansk thanx thatd thatll thats thee themself themselves ther thereafter
    thereby therefor therefore therell theres theyd theyll theyre theyve thi thier thingamajig thingies thingy
    think thinkin thinking thinks thirdly thisll thnks thnx tho thoroughly thou though thought thoughts
    throughout thru ths thsi tht thus thx til till tks tldr told tons took tooo totally totes toward towards
    toying tricky trouble true truly truth tryin tryna tsk ttyl turned turns twice ty type types typical
    typically tysm tyvm u ugh uh uhh ultimately um umm ummm unable unacceptable unavailable unaware unbelievable
    underneath understanding understands understood undoubtedly unfair unfortunately unless unlike unnecessary
    unsure until unusual upcoming upon upset upto ur useless useta usin usual utter utterly varied varies
    various vary versa versus veryy via vital vs waht wana wanna wanta wanted wantin wanting wasnt wassup wat
    wazzup weird welcome wen went weren werent weve whaddya whassup whatcha whatev whatever whatevs whatll
    whatnot whatre whatsit whatsoever whatsup whence wher whereabouts whereas whereby whered wherein wheres
    whether whichever whod whoever wholl wholly whomever whoops whos whove whta whyd whys wid wiht wihtout
    willing willingly wished wishing witout wld wnt wonder wondered wonderful wonderin wont woohoo worried
    worries worry worrying worse worst worthwhile worthy wot woud woudl wouldnt wouldve wow wrt wtf wth wud
    wudnt xoxo xx yada yay ye yea yeah yeh yep yess yh yikes yo yoo yor youd youll youre yous youve yuo yup
  `),
  tr: listed(`
    aa abicim abicm ablacim acayip adina afedersiniz affedersiniz affedin affiniza ait aittir aklim aklima
    alabilirim alabiliriz alabilirmiyim alabilirmiyiz alabilirsem alabiliyor alabiliyormuyum alabiliyormuyuz
    alabiliyoruz alacagiz alacaksiniz alacaktim alaka alakali alakasiz alalim alcaksiniz alcaktim alcam alcaz
    aldigim aldigimiz aldiginiz aldik aldiktan aldim aldiniz aleykum aleykumselam alicak alicaksiniz alicaktim
    alicam alicaz alinabilir alinacak alinca alinir aliniyor alinmis alip alir alirim aliriz alirken allah
    allahaskina allahim allahin almadan almam almamiz almis almistik almistim almiyor almiyorsunuz almiyosunuz
    alsak alsam altinda altindaki aman anca ancak anladim anlarim anlasildi anlatabilir anlatabilirmisiniz
    anlatin anlatirmisin anlatirmisiniz anlatsana anlatsaniz anlayamadim anliyom anliyorum arada aralarinda
    arasinda arkadaslar arkasinda artik asiri askim askina askiniza aslinda ayip aynen ayol ayrica ayriyeten az
    azca azcik azicik bakabilir bakabilirim bakabiliriz bakabilirmisiniz bakabilirmiyim bakacagim bakacagiz
    bakacaktik bakacaktim bakalim bakarim bakariz bakayim bakcaktim bakcam bakicaktim bakicam bakicaz bakiim
    bakin bakinca bakip bakiyodum bakiyom bakmak bakmayin bakmistik bakmistim baksak baksam baksaniz baktik
    baktim banada bari baya bayagi baybay bazen bb bee begendigim begendigimiz begendik begendim begenirim
    begenirsem begeniyorum begenmedim begenmezsek begenmezsem bekliyom bekliyorum bekliyoruz belki bence benden
    benide benimki benimkiler benimkini benimle berbat bereketli beri beyefendi bidaha bigli bikac bikactane
    bikere bildigim bildigime bildigimiz bildiginiz bilebilir bileyim bilgii bilgilendirebilir bilgilendirin
    bilgilendirir bilgilendirirmisiniz bilgilendirme bilgim bilgimiz bilginiz bilgiye bilgiyi billa billahi
    bilsem birader biraz birazcik birazdan birazi birbiri birbirinden birbirine bircogu bircok birdaha birer
    birine birini birisi birkac birsey birseyler birtane biryerde biryere bisey biseyde biseyden biseye biseyi
    biseyler biseymi bisi bisiler bisiyden bisiye bisiyi bitane bitanesi bitek biyer biyerde biyerden biyere
    bizede bizimki bizimkiler bizimle bizler bizlere bizlerin blgi boylece boyledir boylelikle boylemi boylesi
    boylesine bsey buda bunca bunda bundan bunlar bunlara bunlarda bunlardan bunlari bunlarin bunlarla bunuda
    bununla burada buradaki buradami buradamisiniz buradan buralar buralara buralarda buralardan burami buranin
    burasi burasimi buraya burayi burda burdaki burdami burdamisiniz burdan burdasiniz burdayim butun buyrun
    buyur buyurun bye cabucak cabuk canim canimiz canlarim cesidi cesitli cevaben cevabi cevabiniz cevabinizi
    cevap cidden ciddi ciddimisiniz civarinda cnm cogu cogunluk cogunlukla cogunu cokca cokk cokmu coktan coktur
    cunku dahi daima decegim dedi dedigi dedigim dediginiz dedik dediler dedim dedin dediniz defa degildi
    degildir degilim degiliz degilmi degilmidir degilse degilsiniz degl deil deilmi demeyin demi demin demis
    demisler demistik demistim demistiniz denen denilen deniyor derhal derken derler derseniz desek desem
    devamli deyecegim deyince deyip dicektim dicem diger digeri digerini digerleri diilmi dilerim dimi disinda
    diycem diyecegim diyecektim diyelim diyen diyerek diyeyim diyince diyip diyo diyolar diyonuz diyor diyorlar
    diyorsunuz diyorum diyoruz diyosunuz dolayi dostum durumda durumdayim durumlarda durumumuz durumunda duruyo
    duruyor duruyormu dusunce dusunceniz dusundugum dusundugumuz dusundum dusunen dusunmek dusunmustum dusunsem
    dusunup dusunurken dusunurseniz dusunurum dusunuruz dusunuyodum dusunuyom dusunuyorduk dusunuyordum
    dusunuyorsunuz dusunuyorum dusunuyoruz dusunuyosunuz dusunuyoz duydugum duyduguma duyduk duydum duymustum
    duyunca edebiliriz edebilirmisiniz edebiliyor edebiliyormuyum edebiliyormuyuz edecegiz edeceksiniz eden
    edenler ederek edermisin edermisiniz ederse edersek edersem ederseniz edersin edersiniz edicek edicekmisiniz
    edicem edicez edilebilir edilecek edilen ediliyor edilmis edin edince ediniz edip ediyo ediyom ediyomusunuz
    ediyonuz ediyonuzmu ediyorlar ediyormusunuz ediyorsun ediyorum ediyoruz ediyosun ediyosunuz ediyoz ee eee
    efendim efenim efsane efso ehe elbette emegine emeginiz emeginize epey etmeden etmemiz etmesi etmeyi etmis
    etmistik etmistim etmiyor etmiyorsunuz etmiyosunuz etrafta etsek etseniz etti ettigim ettigimiz ettiginiz
    ettikten ettiniz evet eyvah eyvallah eyvllh eyw falan falanda falanfilan fazla fazlaca felan felen feln fena
    fenadir fevkalade fikir fikri fikrim fikriniz filan filanda firmaniz firmaniza firmanizda firmanizin
    firmanizla flan fln galiba garip gecen gecenki gecenlerde gecti gectim gelcektim gelcem gelcez geldi
    geldigimde geldigimizde geldik geldikten geldim gelebilir gelebilirim gelebiliriz gelebilirmisiniz
    gelebilirmiyim gelebilirmiyiz gelebiliyor gelebiliyormuyum gelecegim gelecegiz gelecek gelecekte gelecektim
    gelelim gelemecegim gelemem gelemeyecegim gelemezsem gelemicem gelemiyorum gelen gelenler geleyim gelicek
    gelicektim gelicem gelicez geliim gelip gelirim geliriz gelirken gelirmi gelirmisiniz gelirsek gelirsem
    geliyim geliyo geliyodum geliyom geliyonuz geliyonuzmu geliyor geliyorsunuz geliyorum geliyoruz geliyosunuz
    geliyoz gelmeden gelmedi gelmek gelmem gelmemiz gelmezsem gelmis gelmistik gelmistim gelmiyo gelmiyor gelse
    gelsin gene genelde genellikle gercekten gerci gerek gerekir gerekli gibiydi gibiyim gidebilir gidebilirim
    gidebilirmiyim gidecegim gidecegiz gidecek gidelim giden giderim gideriz gideyim gidicek gidicektim gidicem
    gidicez gidince gidip gidiyo gidiyor gidiyorum gidiyoruz girdigimde girdim giriyorum gitcektim gitcem gitcez
    gitmeden gitmedi gitmek gitmem gitsek gitsem gitti gittik gittim gorcem gordugum gordugumuz gordugunuz
    gorduk gordum gore gorebilir gorebilirim gorebiliriz gorebilirmiyim gorebilirmiyiz gorecegim gorelim
    goremedik goremedim goremiyorum goreyim gormeden gormedim gormek gormem gormustuk gormustum gorsek gorsem
    gorucem gorup gorusmek gorusuruz goruyorum goruyoruz grekiyor grekli guvenilirmi guzelce guzeldi guzeldir
    guzelim guzelmi guzelmis gzl haa haberdar hade hadi haha hahaha hakikaten hakkaten hala halbuki halde
    halihazirda halim halledebilir halledebilirmiyim halledebilirmiyiz hallederim hallederiz halledersiniz
    hallediyor hallediyorsunuz halletmek hallolur hani hanimefendi harika harikasiniz hatirladigim
    hatirlamiyorum hatirliyorum hatta haydi haydin hayir hayirdir hayirli hayirlisi hee hemen hemencecik henuz
    hepimiz hepimize hepiniz hepsi hepsimi hepsinden hepsine hepsini hepsinin hepten heralde herbiri herhalde
    herhalukarda herhangi herhangibir herkes herkese herkesi herkesin herkesle hersekilde hersey herseyden
    herseyi herseyin heryer heryerde heryere herzaman herzamanki hicbir hicbiri hicbirsey hicbisey hicbisi hicmi
    hihi hmm hocalarim hocm hojam hos hosbulduk hosca hoscakal hoscakalin hosgeldiniz hosuma hususta hususunda
    icn ihtimal ikimiz ikisi ikisinden ikisini ilgilenen ilgilenir ilgilenirmisiniz ilgileniyorum ilgileniyoruz
    ilgili ilginc iliskin ilk ilki ilkinde illa illaki ille imkan imkani imkaniniz insallah inshallah iste
    istecegim istecegiz isteginiz istek istemistim isterdik istesek istesem isticektim isticem isticez istiycem
    istiyo istiyoduk istiyodum istiyom istiyosaniz istiyosunuz istiyoz itibaren itibariyle iyi iyiyim kacar
    kacgun kacincida kacinda kacpara kacsaat kactan kactane kactl kadarki kadr kaldi kaldik kaldimi kalirsa
    kalitelimi kaliteniz kalitesi kaliyo kalmadi kalmadimi kalsin kanka kankam karar karara kararsiz kararsizim
    kardo karsida karsiliginda karsilik kazanclar kendi kendileri kendimden kendime kendimi kendimiz kendimize
    kendinden kendine kendinize kendinizi kendisi kendisine kendisini kere kerede kesin kesinlikle keske kez
    kimde kimden kimdi kimdir kime kimi kiminle kimisi kimle kimler kimlerden kimlere kimlerle kimmis kimse
    kimseler kimsenin kimseye kismen kolay komik konu konuda konular konularda konusunda kotu kusura kusursuz
    lakin lan lazim lazm lazmi ltf lutfenn lzm maalesef madem mademki makul malesef masallah mecbur mecburen
    memnun memnuniyetle meraba merak merakim merakla meraktan merhabaa merhabalar mesela meselam mevcutmu
    minnettarim misal misinz misnz miydik miydim miydiniz moruk mrhaba msnz mudurki muhtemelen muhtesem mukemmel
    mumkunmu mumkunse musunz muthis mutlaka mutlu muydu muyduk muydum muydunuz muyuz napabilir napabilirim
    napabiliriz napacagim napacagiz napacam napalim naparsiniz napcam napcaz napicam napicaz napilir napiliyo
    napiliyor napiyon napiyonuz napiyorsun napiyorsunuz napiyoruz napiyosun napiyosunuz napiyoz napmak
    napmaliyim napmam napmamiz napsak napsam nasi nasildi nasildir nasilki nasilmis nasilsniz nasl nedendir
    nedeni nedeniyle nedenle nedenlerle nedenmi nedn nefis negerek neicin nekadar nekadara nekadardi nekadardir
    nekadarlik neki nelazim neolacak neolcak neoldu neolur nerde nerdedir nerdeki nerden nerdesin nerdesiniz
    nerdeydi nerdeyse nesi nesine nesini neticede nevar neyapabilirim neyapacagim neyapayim neyapcam neyapicam
    neyapiyorsunuz neyapmaliyim neyden neydi neye neyi neyim neyin neyiniz neyle neymi neymis neyse neyseki
    neyvar nezaman nezamana nezamandir nihayet nolacak nolcak noldu nolmus nolsun nolucak nolur nolurdu
    nolursunuz noluyo noluyor normal normalde normali nsl obur off offf ogrenebilir ogrenim ogrensem oha ok okey
    olabilirmisiniz olacagim olacak olacakmi olalim olani olanlar olanlari olanlarin olayim olcakmi oldu olduk
    oldukca olduktan oldular oldum olmacak olmadan olmadi olmakta olmaktan olmam olmamiz olmayacak olmayan
    olmayinca olmicak olmucak olmus olmustu olmuyo olsa olsak olsam olsaydi olucakmi olunca olup olurdu olurken
    olurmu olurmusun olurmusunuz olurmuydu olursa olursak olursam olursaniz oluyo oluyomu oluyorlar oluyormu
    oluyormuydu oluyorsunuz oluyoruz oluyoz onada onca onda ondan onemli onemlidir onemsiz onerdiginiz
    onerebilir onerebilirmisiniz onereceginiz oneri oneriniz onerir onerirmisiniz onerirsiniz oneriyonuz
    oneriyorsunuz oneriyosunuz onlara onlarda onlardan onlari onlarin onlarinki onlarla onumuzdeki onunde onunki
    onunla onunuzden oo orada oradaki oradami oradamisiniz oradan oralar oralara oralarda oralardan orasi
    orasinin oraya orayi orda ordaki ordami ordamisiniz ordan ordasiniz ornegin ortada ortalama ortalikta oteki
    oyle oyledir oyleki oylemi oylese oyleyse oysa oysaki ozellikle ozur pahalimi pardon rabbim ragmen rahatca
    rahatlikla reis resmen rezalet rezil rica sa sacma sacmalik sacmasapan sagliginiza sagolasin sagolasiniz
    sagolsun sagolunuz sahane samimiyetle sanada sanirim sanirsam saniyodum saniyordum saniyorum sanki sanmistim
    sanmiyorum sart sayesinde sayet saygilar saygilarimizla saygilarimla seferde sefere sekilde sekli selamlar
    selamun selamunaleykum sence senden seninki seninle sevdigim sevdik sevdim severim severiz sevgiler sevindim
    sevinirim seviniriz seviyorum seviyoruz sevmem seyde seyden seydi seyim seyin seyle seylere seyleri seymi
    seyse siklikla siklikta simdilik sirketiniz sirketinizin sizede sizinki sizinkini sizinle sizler sizlerde
    sizlerden sizlere sizleri sizlerin sizlerle snrm sonradan sonucta sonunda sorabilir sorabilirim
    sorabilirmiyim sorabiliyor sorabiliyormuyum soracagim soracagimiz soracaklarim soracaktik soracaktim soralim
    sorar sorarim sorayim sorcaktim sorcam sordugum sorduk sordum sorim sormadan sormadim sormustuk sormustum
    sorsak sorsam sorucaktim sorucam sorular sorulari sorularim sorularima sorularimiz soruma sorumu sorumuz
    sorup soruyom soruyordum soruyorum soruyoruz soruyu soylecegim soyledi soylediginiz soylediler soyledim
    soylediniz soyleki soylemek soylemis soylemisti soylemistiniz soylendi soyleniyor soyler soylerim
    soylermisin soylermisiniz soylersen soylerseniz soylesene soyleseniz soyleyebilir soyleyebilirmisiniz
    soyleyeyim soyleyim soyleyin soylicem soyluyor soyluyorlar suan suanda suandaki suanki suankine suna sunda
    sundan sundugunuz sunlar sunlari sunlarin sunuda sununla sunuyor sunuyorsunuz sunuyosunuz super superdi
    supermis surada suradan surasi suraya surayi surda surdaki surekli suruyo suruyor tabi tabii tahmin tahminen
    tahmini tamam tamamen tamami tamamini tamamiyla taraf tarafima tarafindan tarafiniza tarafinizdan tarafta
    taraftan tavsiye tavsiyeniz tekrar tercihen tesekkurederim tesekur tesekurler teskkur tipi tmm tmmm tovbe
    tskederim tuhaf tum turlu uff ugracagim ugramadan ugramak ugrarim ugrariz ugrasak ugrasam ugrasiyorum
    ugrasmadan ugrasmak ugrayabilirmiyim ugrayacagim ugrayalim ugrayip ugricam ulan umarim umuyorum ustad
    ustadim ustelik ustunde ustundeki uyarmi uygun uygundur uygunmu uygunsa uygunu uzere uzerinde uzerinden
    uzerine vah valahi valla vallaa vallah vallaha vallahi varda vardi vardir vardiysa varki varmi varmidir
    varmii varmis varmiydi varolun varsa varsaniz varya vay vb vercek verceksiniz verdi verdigim verdiginiz
    verdik verdikleri verdim verdiniz verebilir verebilirim verebilirmisiniz verebiliyor verebiliyormusunuz
    verecegim verecegiz verecek verecekmisiniz vereceksiniz veren vermeden vermek vermem vermis vermisti
    vermistiniz vermiyor vermiyorsunuz vermiyosunuz versek verseniz vs walla wallahi xd yaa yaani yaf yahu
    yaklasik yanii yanina yaninda yanit yanitiniz yanitinizi yapcak yapcakmisiniz yapcaksin yapcaksiniz
    yapcaktik yapcaktim yapcam yapcaz yapsa yapsak yapsam yapsaniz yapsin yapyonuz yapyorsunuz yapyosunuz
    yardiminiz yardiminiza yardimlariniz yardimlarinizi yav yavas yeniden yeter yeterince yeterli yeterlimi
    yetermi yetiyor yha yine yokki yokmu yokmudur yokmuydu yoktu yoktur yonelik yoo ypiyonuz ypiyorsunuz
    ypiyosunuz yuzunden zahmet zahmetsiz zannedersem zannediyorum zannettim zaten zira zor zormu zorunda
  `),
  de: listed(`
    ab absolut ach ade aehnlich aehnliche aehnliches ahnlich ahnliche ahnliches ahnung aktuell alle allem allen
    allerdings allerlei alles allgemein anbietet andere anderen anderer andererseits anderes anders andre
    anfangen anfrage angeboten angefangen angelegenheit anliegen ans anschaue anschauen anschliessend ansehen
    anstatt anzahl art arten aufm aufs augenblick ausgezeichnet auskunft ausm ausschliesslich ausser ausserdem
    ausserhalb bedanke bedanken bedarf bedeutet begeistert beide beiden beides beinahe bekam bekamen bekommst
    bekommt benoetige benoetigen benoetigt benotige benutze bescheid besonders besser bessere besseren beste
    besten bestes bestimmt bestimmte bestimmten bestimmtes betreffend betrifft bevor beziehungsweise bezueglich
    bezug bezuglich bg biete bietet bis bischen bisher bisl bislang bisschen bissel bisserl bissl bist biste
    bitteschoen bitteschon bleibe bleibst blieb blod bloder bloss brachte brauchst braucht brauchte brauchten
    brauchts bringst bzw ca ciao circa cool dabei dabeihaben dachte dachten dadurch dafuer dafur dagegen daher
    dahin dahinter damals damit danach daneben dankbar dankeschoen dankeschon dankesehr daran darauf daraus
    darfs darfst darin daruber darueber darum darunter dasselbe dauernd davon davor dazu dazukommen dazwischen
    dein deine deinem deinen deiner deins denen denke denken denkst denkt dennoch derartige deren derer
    derjenige derselbe derzeit deshalb dessen desto diejenigen diese dieselbe dieselben diesem diesen dieser
    dieses ding dinge doof dran drauf drin druber drum drunter duerfen duerft duerfte duerften dumm durch
    durchaus durchs durft durfte durften durftest durftet dus eben ebenfalls ebenso echt egal eh eher ehrlich
    eig eigtl einander einerseits einfach einfache einfachen einfacher einige einigen einigermassen einiges
    einmal einzelne einzige einzigen einziger einziges empfehle empfehlt endlich entscheiden entschieden
    entschuldigung enttaeuscht enttauscht entweder erklaeren erklaert erklaren erklart erneut ernst erst erstmal
    erzaehlen erzaehlt erzahlen erzahlt etwa euer eure eurem euren eurer eures eventuell evtl extrem fall falle
    falls fand fanden fange fangt fantastisch fast finde finden findest findet fragen fragst fragt fragte
    fragten freue freuen freut froh frueher fuers furchtbar furs gab gabe gaben gabs gaebe ganz ganze ganzen
    ganzer ganzes gar garnicht garnichts geben geblieben gebt gedacht gedanke gedanken geehrte geehrten geehrter
    gefaellt gefallen gefallt gefiel gefragt gefunden gegangen gegeben gegen geh gehabt gehalten gehen gehoert
    geholfen gehort gehst geil gekannt gekonnt gekriegt gelassen gelegenheit gelegentlich gell gelle gelten
    gemacht gemeint gemocht genau genaue genauer genaues genauso generell genervt genommen geplant gerade
    geredet gesagt geschaut gesehen gespannt getan gewesen gewisse gewissen gewollt geworden gewusst ggf gib
    gibst gibste gilt ging ginge gingen glaube glauben glaubst glaubt glaubte gleich grade grossartig gruesse
    gruessle gruezi grund grundsaetzlich grundsatzlich gruss grusse guck gucke gucken guckt guenstig gut gute
    guter gutes habs habt habts haette haetten haettest haettet haeufig half halli halloo halt halte haltet
    handelt hast haste hats hattest hattet haufig hauptsachlich hauptsaechlich hei heissen heisst helfe helfen
    helft herrlich hervorragend herzlichen hielt hierher hiess hilfst hilft hin hingegen hinkommen hinsichtlich
    hinter hinterher hinterm hm hmm hochstens hoechstens hoerte hoffe hoffen hoffentlich horte hubsch huebsch
    huhu ichs ideal idee ihres ihrs immer immerhin indem info informationen infos innerhalb ins insbesondere
    interesse interessiere interessieren interessiert inwiefern inwieweit inzwischen irgendein irgendeine
    irgendeinem irgendeinen irgendeiner irgendjemand irgendwann irgendwas irgendwelche irgendwelchen irgendwer
    irgendwie irgendwo irgendwohin isses ists je jede jedem jeden jedenfalls jeder jederzeit jedes jedoch jemals
    jemand jemandem jemanden jene jenem jenen jener jenes jetzt jeweils kamst kanns kannst kannste kannte kaum
    keinem keinen keiner keinerlei keines keinesfalls kenne kennen kennst kennt klappen klappt klar klaro klingt
    knapp koennt koennte koennten koenntest koenntet komisch komm komme kommen kommst komplett konnt konnten
    konntest konntet konnts krass kriege kriegen kriegst kriegt kucken kuemmert kuenftig kuerzlich kummert
    kumpel kunftig kurz kurzlich lasse lassen lasst lauft lediglich leichter leider letzten letztendlich
    letztlich lg liebe lieben lieber liebes liebste liegt liess liessen logisch lohnt los losgehen lust ma mach
    mache machst machste machte machten machts mag magst manche manchem manchen mancher manches manchmal mega
    mehrere mehrmals meinem meines meins meinst meinste meint meinte meinung meist meiste meisten meistens menge
    mensch merkwuerdig merkwurdig mfg mindestens mist mittlerweile mochten mochtest mochtet moechte moechten
    moechtest moechtet moegen moeglich moeglichkeit moeglichkeiten moegt mogen moglich moglicherweise
    moglichkeit moglichkeiten moglichst mogt moin moment momentan muessen muesst muesste muessten musst musste
    mussten musstest musstet na nachdem nachher nachste nachsten nachster nachstes naechste naechsten naechster
    naechstes naemlich nahezu nahm nahmen naja namlich nanu natuerlich naturlich neben ned nehme nehmen nehmt
    nem ner net nett nette netten netter nettes neugierig neulich nice nich nichts nie niemals niemand niemandem
    niemanden nimm nimmst nimmt nirgends nirgendwo nischt nit nochma nochmal nochmals noetig nomal normalerweise
    nun nutze nutzt obs obwohl oefter oefters oft ofter ofters oh ohne ohnehin ok okay optimal ordentlich
    ordnung peinlich perfekt perfekte perfekten prima prinzipiell pro problem punkt quasi quatsch rauf raus
    rauskommen rede redet rein relativ richtig richtige richtigen runter sache sachen sage sagen sagst sagt
    sagte sagten sah sahen schade schau schaue schauen schaut scheint schien schlecht schlechte schlechten
    schlechter schliesslich schlimm schlimmer schoene schoenen schoener schoenes schone schonen schones
    schrecklich schwierig sehe sehen seht sei seid seinem seinen seiner seines seins seit seitdem seither selber
    selbst selbstverstaendlich selbstverstandlich selten seltsam servus sich sicher siehst sieht sinds sinnvoll
    situation sobald sodass sofern sofort solange solche solchen sollen solls sollst sollt sollte sollten
    solltest solltet sondern sonst sonstige sonstigen sorgen sorry soviel soviele sowas soweit sowieso sowohl
    sozusagen spaeter spreche sprecht staendig standig statt stehe stehen steht stets stimmt suchst suchte super
    taete tat tate taten teils teilweise theoretisch tipp tipps tja toll total trotz trotzdem tschau tschuess
    tschuss tue tun tust tut typ uberhaupt uberlege uberlegen uberlegt ubers ubrigens ueberhaupt ueberlege
    ueberlegen ueberlegt uebrigens ums umso unbedingt ungefaehr ungefahr unglaublich unmoeglich unmoglich
    unserem unseren unserer unseres unserm unsicher unsre unsrer unterschiedliche usw verdammt verfuegbar
    verfuegung verfugung verlangen verlangt vernuenftig vernunftig verschiedene verschiedenen verstanden
    verstehe verstehen verstehst versteht versuche versuchen versucht verwende verwirrt verzeihung vg viele
    vielen vielerlei viell vielleicht vllt vlt voellig vollig vollstaendig vollstandig vorallem vorbeischauen
    vorerst vorhaben vorhanden vorher vorhin vorm vorschlag vorstellen waehrend waere waeren wahnsinnig wahrend
    wahrscheinlich waren wars warst wart weder weg wegen weile weisst weisste weiter weitere weiteren weiterer
    weiteres weitergehen welchem welchen wem wen wenig wenige weniger wenigstens wenns werde werdet weshalb
    wessen weswegen wichtig wichtige wichtiges wieder wiedersehen wies wieso wieviele wievielte wieweit wills
    willst willste wirds wirklich wirkt wirst wisst wobei wodurch wofuer wofur wogegen woher wohin wollen wollt
    wollte wollten wolltest wolltet womit woran worauf woraus worden worin woruber worueber worum wovon wozu
    wuensche wuenschen wuerde wuerden wuerdest wuerdet wunderbar wundere wundern wunderschon wundert wundervoll
    wunsch wunsche wunschen wunscht wurden wurdest wurdet wusste wussten zb zeigen zeigt ziemlich zuerst
    zufrieden zukuenftig zukunftig zuletzt zumindest zunachst zunaechst zurzeit zuviel zuvor zwar zweifel
    zwischen zwischendurch
  `),
  ar: listed(`
    ابدا ابغا ابغاه ابغي ابي اتمني اتوقع اتي اتيت اثناء اجد اجي اجيب اجيت احاول احب احتاج احتجت احتمال احط احكي
    احكيلي احلي احنا احنه احيانا اخبرني اخبروني اختي اخد اخذ اخذت اخر اخري اخرين اخوي اخويا اخي اخيرا اد ادري
    اذا اذهب ارجو ارجوك ارجوكم اردت ارغب اروح اري ازاي ازيك ازيكم ازيكو اسال اسالك اسالكم استطيع استفسار
    استفساري استفسر اسف اسفين اسوي اسيله اشرح اشكرك اشكركم اشوف اشياء اصبح اصبحت اظن اعتذر اعتقد اعجبني اعرف
    اعطني اعطوني اعلم اعمل اغلب اغلي افدني افكر افندم افهم افيدونا افيدوني اقدر اقل اكثر اكلم اكو اكون اكيد
    اكيدا الا الاخر الاشياء الامر الان البعض التي الجميع الحال الحقيقه الحمد الحمدلله الحين الخير الذي الذين
    الرجاء السبب السلام الشي الشيء الصراحه العافيه العديد الغالي الك الكل الكم الله اللي المعذره الموضوع النا
    الناس النور النوع الها الو الواحد اما امته امتي امر امكانيه اممم امور انتم انتما انتن انته انتو انتوا انتي
    انشاءالله انشالله انصحوني انفسنا انكم اننا انني انه انها انهم انواع انوي اني اه اها اهلا اهلين اهم اهو اهي
    اود اوكي اوكيه اولا اوليك اوه اوي اي ايا اياه ايش ايضا ايمتي ايه ايهم ايهما ايوا ايوه باخد باخذ بارك باشا
    باقي بالامكان بالتاكيد بالحقيقه بالذات بالرغم بالضبط بالطبع بالله بالنسبه بامكانكم بامكاني بان باي بتعرف
    بتعرفوا بتعمل بتعملوا بتقدر بتقدروا بجد بحاجه بحب بحتاج بخصوص بدكم بدكن بدلا بدنا بدها بدو بدي بذلك برجاء
    بردو برضه برضو بروح بزاف بس بسال بسبب بسرعه بسيط بشان بشع بشكل بصراحه بصوره بضع بضعه بطريقه بعد بعدني بعدين
    بعرف بعض بعمل بغيت بقا بقالي بقدر بقي بكام بكم بل بليز بما بماذا بنعمل بهذا بهذه بواسطه بيجي بيطلع بيعمل
    بينفع بينما بيه تاتي تاخد تاخذ تاني تانيه تبغون تبون تتم تتوفر تجب تجي تحب تحتاج تحياتي تحيه تخبرني تخبروني
    تدرون تدري ترغب تروح تريد تريدون تساعدني تساعدونا تساعدوني تستطيع تستطيعون تسلم تسلموا تسلمون تسوون تسوي
    تشوف تشوفوا تشوفون تعجبني تعرف تعرفوا تعرفون تعطونا تعطيني تعمل تعملوا تعملون تعني تفاصيل تفضل تفضلوا تفعل
    تفعلون تفهم تفيدوني تقدر تقدرون تقريبا تقول تقولون تقوم تقومون تكلم تكون تلك تم تمام تماما تمت تنصحني تنصحون
    تنصحوني تنفع توضحوا توضيح توني توه ثالثا ثانيا ثم ثمه جاي جايز جايين جبت جدا جزاك جزاكم جزيلا جماعه جميع
    جميعا جميل جميله جيت جيد جيده جينا حابب حابه حاجات حاجه حال حالا حاله حاليا حاولت حبتين حبيبتي حبيبي حبيت
    حبينا حتي حدا حسب حضراتكم حضرتك حضرتكم حقا حكيت حنا حوالي حول حياك حياكم حيث حيل حين حينما خبرني خبروني خد
    خذ خصوصا خلاص خلال خلص خلني خلوني خلي خليني خوي خير خيرا دا داري داك دايما دخيلك دلوقت دلوقتي ده دي ذاك
    ذكرتم ذلكم ذهبت راح راغب رايت رايح رايحين رايع رايعه ربما رجاء رح رحت رغم ريس زمان زين سابقا ساعدني ساعدوني
    سالت ستكون سلام سمحتم سمحتوا سمعت سهل سهله سواء سوال سوالي سوف سوي سويا سيء سيتم سيدتي سيدي سيكون سيي سييه
    شاء شاكر شاكرين شايف شخباركم شفت شفنا شكل شلون شلونك شلونكم شنهو شنو شو شوف شوفوا شوفولي شوي شويه شي شيء صار
    صارت صح صحيح صراحه صرت صرنا صعب صعبه ضروري ضمن طال طبعا طريقه طلع طيب طيبين عاده عارف عارفه عارفين عاوز
    عاوزه عاوزين عايز عايزه عايزين عبر عجبني عجيب عده عديد عذرا عرفت عزيزي عسي عشان عفوا علام علشان عليكم علينا
    عليه عليها عما عملت عموما عنجد عندك عندكن عندكو عندما عندنا عنده عندها عندي غالبا غريب غريبه غلط فاهم فتره
    فضلك فضلكم فظيع فعلا فعلت فقط فكرت فكرتي فكره فكيف فما فندم فهل فهمت فورا فيك فيكم فيما فين فيه فيها قادر
    قال قالوا قالولي قبل قد قديش قررت قريبا قلت قليل قوللي قولوا قولولي قولي كافه كام كامل كامله كانت كانه كانوا
    كتير كثير كدا كده كذا كذلك كذه كل كلا كلاهما كلش كلكم كلما كلمت كلمني كلموني كله كلها كلهم كما كنا كنت كنتم
    كويس كويسه كويسين كي كيفك كيفكم كيفيه لاء لاحقا لازال لازم لاسيما لاكن لان لاننا لانه لانها لاني لايزال لحظه
    لديك لدينا لديه لذا لذلك لسا لست لسنا لسه لسي لعل لفين لقد لكن لكنني لكي للحين لله لم لما لماذا لمن لمين لن
    لنفسي له لها لهذا لهذه لهم لوسمحت لوسمحتم لوسمحتو لوين ليت ليس ليست ليسوا ليش ليه ماادري ماالذي مابعرف مازال
    ماشاءالله ماشي ماعرف ماعرفش ماعندكم ماعندناش ماعندي مافي مافيش مافيه ماكو مالذي ماني ماهو ماهي ماهيه ماينفعش
    مب مباشره متاحه متاسف متشكر متشكره مثال مثل مثلا مجددا محتاج محتاجه محتاجين محتمل محدد محدده مختلف مختلفه
    مدري مرا مرات مرتين مرحبتين مره مساعدتكم مساعدتي مساله مسبقا مش مشان مشكلتي مشكله مشكور مشكورين مضبوط مضطر
    مطلقا مظبوط معا معاك معاكم معانا معايا معذره معرفش معظم معقول معقوله معكم معكن معلومات معلومه معنا معندكمش
    معنديش معني معي معين معينه مفيش مليح مما ممتاز ممتازه ممكنه ممن ممنون منشان منه منها منو منيح منيحه منيش
    منين مهم مهما مهمه مهوب مو موب موجوده موضوع مين مينفعش ناخد ناخذ ناوي نبغي نبي نجد نجي نجيب نحب نحتاج نحط
    نحنا نذهب نرجو نرغب نروح نري نريد نستطيع نسوي نشوف نصيحتكم نظرا نعرف نعمل نفس نفضل نفعل نفكر نفهم نقدر نقوم
    نكون ننوي نود نوع هاخد هاد هادا هاذا هاذي هالحين هالشي هالشيء هالو هاي هجيب هدا هدول هديك هذاك هذان هذول
    هذولا هذي هذيك هكذا هلا هلق هلو هما همه هن هنا هناك هنالك هنن هني هنيك هه ههه هههه ههههه هواي هولاء هون
    هونيك هوه هيدا هيدي هيك هيه واجد واحد واحده واذا واضح والله وانا وايد واين وبركاته وجدت ودنا ودي ورحمه وش
    وشلون وشو وعليكم وفقا وقد وكم وكيف ولكن ولماذا وليش وليه وما ومتي ومن ومين ونحن وهذا وهذه وهل وهم وهو وهي
    وياكم وين وينكم وينه يا ياتي ياخد ياخذ ياخي يارب ياريت يافندم يالله ياليت ياهلا يبدو يبغي يبي يتم يتوجب
    يتوفر يجب يجي يحتاج يروح يريد يستطيع يسلمو يسلموا يسوي يصبح يصير يطلع يظهر يعجبني يعرف يعطيك يعطيكم يعمل
    يعني يفضل يفعل يقدر يقول يقولون يقوم يكن يلا يلزم يلزمني يلي يمكنك يمكنكم يمكننا ينبغي ينفع ينفعش ييجي
  `),
}

/** Whether a folded word goes with any topic in the spoken language of a question. */
export const isSpokenWord = (folded: string, language: Language | undefined): boolean =>
  language !== undefined && SPOKEN[language].has(folded)
