/**
 * Words of people, the body, weather, travel, papers and what is done with things, which any site may be
 * asked about, in the form of `trade.ts`: Turkish | English | German | Arabic.
 */
export const EVERYDAY_WORDS = `
kadın bayan hanım | woman women female lady ladies | frau frauen weiblich damen | امراه نساء سيدات
erkek bay | man men male gentleman | mann männer männlich herren | رجل رجال
eş karım kocam | wife husband spouse partner | ehefrau ehemann partner | زوج زوجه
arkadaş dost | friend friends mate buddy companion | freund freunde freundin begleitung | صديق اصدقاء
arkadaşını öner tavsiye davet | refer referral recommend friend mate | empfehlen empfehlung werben | احاله
anne baba ebeveyn aile veli | mother father parents family guardian | mutter vater eltern familie | ام اب عائله والد
kardeş abla ağabey | brother sister sibling siblings | bruder schwester geschwister | اخ اخت
yetişkin büyük | adult adults grown-up | erwachsene erwachsener | بالغ كبار
ergen genç reşit | teenager teen teenagers minor youth | jugendliche teenager minderjährig | مراهق شباب
köpek | dog dogs puppy | hund hunde | كلب كلاب
kedi | cat cats kitten | katze katzen | قطه قطط
kuş hayvan evcil | bird animal animals pet pets | vogel tier tiere haustier haustiere | طائر حيوان حيوانات
sağır duyma işitme işaret | deaf hearing sign | gehörlos taub gehör | اصم سمع
kör görme | blind sight vision | blind sehbehindert | اعمي بصر
tekerlekli sandalye engelli rampa basamaksız merdiven | wheelchair disabled disability ramp step-free stairs steps accessible accessibility | rollstuhl behindert rampe treppe stufen barrierefrei | كرسي متحرك درج
sağlık rapor doktor | health medical doctor report | gesundheit arzt attest | صحه طبي
hasta rahatsız hastalan | ill sick unwell illness | krank krankheit | مريض
bulantı mide tutar tutması | seasick nausea sickness carsick | seekrank übelkeit | دوار غثيان
ilkyardım yardım | aid first-aid | erste hilfe | اسعافات
sürücü şoför kaptan | driver captain skipper | fahrer kapitän | سائق قبطان
mürettebat ekip kadro takım | crew team staff | crew team mannschaft besatzung | طاقم فريق
eğitmen hoca öğretmen antrenör usta | instructor teacher trainer coach tutor | lehrer fahrlehrer ausbilder trainer | مدرب معلم
müdür yönetici yetkili | manager management director boss | leiter leitung manager chef | مدير
sahip kurucu | owner founder | inhaber gründer besitzer | صاحب مؤسس
iş çalış kariyer | job jobs hiring vacancy vacancies employment recruit | stelle stellen job arbeitsplatz | وظيفه توظيف
gemi tekne vapur yat feribot | boat boats ship vessel yacht ferry | boot schiff fähre jacht | قارب سفينه مركب يخت
liman iskele marina rıhtım | harbour harbor port pier jetty dock marina | hafen anleger steg pier | ميناء مرسي
kalk kalkış hareket ayrıl | depart departure departs leave leaves sail set | abfahrt ablegen fährt ablegt abfahren los | انطلاق مغادره يغادر
dön dönüş | return back home | zurück rückkehr rückfahrt | عوده رجوع
tur gezi sefer | trip tour tours cruise excursion outing | tour touren ausflug fahrt rundfahrt | رحله جوله
yunus | dolphin dolphins | delfin delfine delphin | دلفين دلافين
balık avı tutma | fish fishing angling | angeln fischen fisch | صيد سمك
dalış dal şnorkel | diving dive scuba snorkel snorkelling | tauchen tauchgang schnorcheln | غوص
yüz yüzme yüzül | swim swimming | schwimmen baden | سباحه
şelale | waterfall waterfalls falls | wasserfall wasserfälle | شلال
nehir ırmak dere | river stream | fluss | نهر
koy koylar körfez | bay bays cove coves | bucht buchten | خليج
ada adalar | island islands | insel inseln | جزيره
dağ tepe yayla | mountain mountains hill | berg berge | جبل
göl | lake | see | بحيره
orman ağaç | forest tree trees wood | wald baum bäume | غابه شجر
günbatımı batımı gün batım | sunset | sonnenuntergang | غروب
güneş güneşli | sun sunny sunshine | sonne sonnig | شمس
krem losyon | cream lotion sunscreen | creme sonnencreme | كريم
yağmur yağış yağar yağmurlu ıslan | rain rains rainy raining wet | regen regnet regnerisch | مطر
fırtına rüzgar rüzgarlı dalga dalgalı hava bozar | storm stormy wind windy waves rough weather sea | sturm wind wellen seegang wetter | عاصفه رياح امواج طقس
kar buz buzlan don | snow ice icy frost | schnee eis glatteis | ثلج جليد
hava | weather | wetter | طقس
yaz yazın | summer | sommer | صيف
kış kışın | winter | winter | شتاء
ilkbahar bahar | spring | frühling frühjahr | ربيع
sonbahar güz | autumn fall | herbst | خريف
sezon mevsim | season seasonal | saison | موسم
noel yılbaşı yeniyıl aralık | christmas xmas december eve new-year | weihnachten silvester neujahr dezember | ميلاد راس
arife arefe bayram ramazan | eve eid ramadan bayram holiday | feiertag ramadan zuckerfest | عيد رمضان
sabah sabahları | morning mornings early am | morgen morgens vormittag früh | صباح
öğlen öğle öğleden | noon midday afternoon lunchtime | mittag mittags nachmittag | ظهر
akşam akşamları | evening evenings pm | abend abends | مساء
gece geceleyin | night nights overnight around-the-clock | nacht nachts | ليل
7/24 24 saat | 24/7 24-hour around-the-clock clock | rund uhr 24 | ساعه
yarım | half | halb halbtags | نصف
kimlik nüfus cüzdan pasaport | id identity card passport | ausweis personalausweis reisepass pass | هويه جواز
belge evrak doküman kağıt gereken istenen | document documents paperwork papers required | unterlagen dokumente papiere | وثائق مستندات اوراق
diploma mezuniyet | diploma graduation degree | diplom zeugnis abschluss | دبلوم شهاده
sabıka adli sicil | criminal record police clearance | führungszeugnis vorstrafen | سجل جنائي
ikamet oturma | residence residency resident | aufenthalt wohnsitz | اقامه
yabancı turist | foreigner foreign tourist tourists | ausländer tourist touristen | اجنبي سائح
sınav imtihan test | exam exams examination test | prüfung prüfungen test | امتحان اختبار
yazılı teorik e-sınav elektronik | theory written theoretical | theorie theoretisch schriftlich | نظري كتابي
direksiyon sürüş uygulama | driving practical wheel | fahrstunde fahrstunden praktisch lenkrad | قياده عملي
başarısız kalır kaldım çaktım geçemez kalan | fail failed fails flunk | durchgefallen durchfallen nicht bestanden | رسوب رسب
geç geçmek geçer başarılı | pass passed | bestehen bestanden | نجاح ينجح
puan not doğru yanlış soru | points score mark marks questions question answers | punkte note fragen | نقاط سؤال
hak deneme girme | attempt attempts try tries | versuch versuche | محاوله
kayıt yazıl yazdır kaydol | enrol enroll enrolment registration register | anmeldung einschreibung anmelden | تسجيل
motor motosiklet moped scooter | motorcycle motorbike moped scooter | motorrad moped roller | دراجه ناريه
karavan römork treyler | caravan trailer camper | wohnwagen anhänger wohnmobil | مقطوره كرفان
otomatik vites | automatic gearbox | automatik getriebe | اوتوماتيك
manuel düz vites | manual stick | schaltung schaltgetriebe manuell | يدوي
park otopark bırak araba arabayla koy | park parking car cars garage multi-storey | parken parkplatz parkhaus auto | موقف سياره
benzin yakıt dizel | petrol fuel gas diesel | benzin kraftstoff diesel | وقود بنزين
servis transfer alım al bırak ulaşım | pickup pick-up pick shuttle transfer transport collect drop-off | abholung abgeholt abholen transfer shuttle hoteltransfer | نقل توصيل استلام
otel oteli otelden | hotel hotels | hotel hotels | فندق
tren istasyon gar | train station rail railway | zug bahnhof bahn | قطار محطه
metro durak yakın yürü dakika | metro subway underground stop walk minutes nearby | u-bahn haltestelle fußweg minuten | مترو محطه
getir götür yanına yanında yanınıza | bring carry along belongings | mitbringen mitnehmen dabei | احضار جلب
giy kıyafet elbise ayakkabı topuklu terlik | wear clothes clothing dress shoes heels outfit | anziehen kleidung schuhe tragen | ملابس ارتداء حذاء
mayo bikini havlu | swimsuit bikini towel towels | badeanzug badehose handtuch handtücher | ملابس سباحه منشفه
gözlük şapka | sunglasses glasses hat cap | sonnenbrille brille hut mütze | نظاره قبعه
kayıp kaybet unut unuttum buluntu | lost lose forgot forgotten left found misplaced headphones | verloren vergessen gefunden fundbüro liegengelassen | فقدت نسيت مفقودات
çalın hırsız çalındı | stolen theft thief steal nick nicked | gestohlen diebstahl geklaut | سرقه مسروق
sigorta sigortalı kapsam | insurance insured covered cover covers liability | versicherung versichert | تامين مؤمن
yasak izin serbest | forbidden prohibited allowed permitted permission banned | verboten erlaubt gestattet | ممنوع مسموح
uyarı kural kurallar | rule rules warning warnings | regel regeln verwarnung hausordnung | قواعد تحذير
ceza at atıl çıkar | fine penalty expel expelled ban evict kick | strafe rauswurf ausschluss | غرامه طرد
şikayet memnun | complain complaint complaints unhappy dissatisfied | beschwerde beschweren unzufrieden reklamation | شكوي
öneri tavsiye | suggestion advice recommend recommended suitable | empfehlung rat geeignet | نصيحه
uygun uyar elverişli | suitable appropriate fit | geeignet passend | مناسب
fark kıyas karşılaştır | difference compare versus | unterschied vergleich | فرق
en ucuz hesaplı | cheapest lowest | billigste günstigste | ارخص
kapora depozito avans teminat güvence | deposit prepayment advance | anzahlung kaution | عربون وديعه
geri öde parası para geri yan | refund refunded money-back reimbursed | erstattung erstattet geld zurück | استرداد
bozuk para dolar sterlin döviz | currency dollars pounds sterling foreign | währung dollar pfund fremdwährung | عمله دولار
nakit peşin elden | cash notes coins | bar bargeld | نقد
pos kredi kart temassız | card cards contactless debit credit visa mastercard | karte karten kartenzahlung kreditkarte ec-karte | بطاقه
çek senet | cheque cheques check | scheck | شيك
indirim düşer ucuzla | discount discounts reduction off cheaper less | rabatt ermäßigung nachlass | خصم
grup topluluk kişilik toplu | group groups party people team | gruppe gruppen | مجموعه
aile | family families | familie familien | عائله
özel kiralama kapat kirala tamamını | private charter exclusive whole hire rent | privat mieten chartern ganzes | خاص استئجار
doğumgünü yaşgünü kutla kutlama | birthday celebrate celebration anniversary party | geburtstag feiern feier jubiläum | ميلاد احتفال
evlilik evlen nikah teklif | marriage marry proposal engagement wedding | heirat heiraten hochzeit antrag | زواج خطوبه
müzik ses gürültü sakin sessiz | music noise noisy loud quiet silent calm peaceful | musik lärm laut leise ruhig still | موسيقي ضجيج هدوء
uyu uyku yat | sleep sleeping overnight | schlafen übernachten | نوم
iç içki içecek bira şarap alkol | drink drinks beverage beer wine alcohol | getränk getränke bier wein alkohol trinken | مشروب مشروبات بيره
çay kahve su | tea coffee water | tee kaffee wasser | شاي قهوه ماء
yemek öğün kahvaltı yiyecek ye | food meal meals eat lunch breakfast catering sandwiches snack | essen mahlzeit verpflegung mittagessen frühstück | طعام وجبه غداء فطور
vejetaryen vejeteryan vegan etsiz | vegetarian vegan meatless | vegetarisch vegetarier vegan | نباتي
mutfak buzdolabı | kitchen fridge refrigerator | küche kühlschrank | مطبخ ثلاجه
elektrik priz şarj | charge charger socket plug outlet | aufladen laden steckdose ladegerät | شحن مقبس
wifi wi-fi internet kablosuz çeker | wi-fi wifi internet wireless online | wlan wifi internet | انترنت واي فاي
kablo ağ ethernet | cable network ethernet lan wired | kabel netzwerk lan | كابل شبكه
yazıcı bas çıktı tara tarayıcı | print printer printing scan scanner copy photocopy | drucken drucker scannen kopieren | طباعه طابعه
ekran monitör projeksiyon | screen monitor display projector beamer | bildschirm monitor beamer | شاشه
telefon ara görüş konuş | call calls phone | anruf anrufen telefonieren | مكالمه
kabin | booth booths cabin | kabine | كابينه
masa çalışma yeri | desk desks workspace | schreibtisch arbeitsplatz tisch | مكتب طاوله
toplantı salon oda | meeting room conference boardroom | besprechungsraum konferenzraum raum | اجتماع قاعه
adres sanal yasal tescil | address virtual registered mailing | adresse geschäftsadresse virtuell | عنوان
posta mektup koli paket kargo | mail letter letters parcel parcels package packages post | post brief briefe paket pakete | بريد رسائل طرد
anahtar kart giriş kapı | key keys fob keycard door access entry | schlüssel tür zugang zutritt | مفتاح باب دخول
dolap kilitli çekmece emanet | locker lockers drawer cabinet storage cloakroom | schließfach spind schrank garderobe | خزانه
ziyaretçi misafir konuk | visitor visitors guest guests visit | besucher gast gäste | زائر ضيف
gez gör tanıtım incele | tour show-round viewing look visit view around | besichtigung besichtigen ansehen | زياره معاينه
dene deneme ücretsiz | trial try free taster first | probe testen probetag schnupper | تجربه
üye üyelik katıl | member membership join | mitglied mitgliedschaft beitreten | عضو عضويه
dondur beklet ara ver askı | pause freeze hold suspend on-hold | pausieren aussetzen ruhen | تجميد ايقاف
yükselt düşür geçiş değiştir | upgrade downgrade switch change move | wechseln hochstufen herunterstufen | ترقيه تغيير
ihbar bildirim süresi | notice period | kündigungsfrist frist | اشعار
bekleme liste sıra | waitlist waiting-list waiting queue list | warteliste | انتظار
dolu boş yer kontenjan | full availability free space spaces places vacancy | voll frei plätze verfügbar | متوفر ممتلئ
buluş tanış etkinlik sosyal | networking events meetup social gathering | treffen veranstaltungen netzwerken | فعاليات لقاء
atölye kurs eğitim | workshop class training course | workshop kurs schulung | ورشه
podcast stüdyo kayıt | podcast studio recording | podcast studio aufnahme | بودكاست استوديو
ağırlık kilo ağır | heavy weight kg kilos | schwer gewicht kilo | وزن ثقيل
boy uzunluk yükseklik | height tall length | größe höhe länge | طول ارتفاع
kapasite kişi sığar | capacity fits seats hold maximum people | kapazität plätze personen | سعه
geç kal gecik bekle | late delay delayed wait waits waiting | verspätung spät warten | تاخر انتظار
erken önce önceden evvel | early earlier advance before beforehand | früh vorher vorab | مبكر قبل
son gün süre bitiş tarih | deadline last date expiry | frist stichtag ablauf | موعد نهائي
ertele kaydır başka gün | postpone reschedule rebook another | verschieben umbuchen | تاجيل
iptal olur olmaz vazgeç | cancel cancelled cancellation call-off | absagen stornieren ausfallen fällt | الغاء
rehber anlatım dil | guide guided language | führer guide sprache reiseleiter | مرشد لغه
marka model | brand model make | marke modell | ماركه موديل
araba araç otomobil | car cars vehicle vehicles | auto fahrzeug wagen | سياره مركبه
temiz hijyen temizlik dezenfekte | clean cleaning hygiene hygienic disinfect | sauber reinigung hygiene | نظافه
böcek haşere | bug insect pest | insekt ungeziefer | حشره
güvenlik kamera alarm bekçi | security camera cctv alarm guard | sicherheit kamera überwachung | امن كاميرا
yangın duman | fire smoke | feuer brand rauch | حريق
can yeleği yelek | life jacket jackets vest | schwimmweste rettungsweste | ستره نجاه
hamile gebe hamilelik | pregnant pregnancy expecting | schwanger schwangerschaft | حامل
bebek puset arabası | baby babies infant infants toddler pram stroller buggy | baby babys kleinkind kinderwagen | رضيع عربه
çocuk çocuklu küçük | child children kid kids | kind kinder | طفل اطفال
oyun oyuncak eğlence animatör | game games play toys entertainment fun | spiel spiele spielzeug unterhaltung | لعبه العاب
kaydırak | slide slides waterslide | rutsche wasserrutsche | زحليقه
öğrenci talebe | student students pupil | student studenten schüler | طالب
emekli yaşlı altmış | senior seniors pensioner elderly retired | senioren rentner | متقاعد
çocuk okul kreş anaokul | school kindergarten nursery daycare | schule kindergarten kita | مدرسه روضه
evden uzaktan online çevrimiçi | online remote remotely distance home | online fernunterricht zuhause | عن بعد
adım nasıl yol | directions route way | wegbeschreibung weg | طريق
karşılama resepsiyon danışma | reception front-desk host | empfang rezeption | استقبال
şifre parola | password passcode pin | passwort kennwort | مرور
uygulama program | app application software | app anwendung | تطبيق
güncel haber duyuru | news update announcement | neuigkeiten nachrichten | اخبار
`
