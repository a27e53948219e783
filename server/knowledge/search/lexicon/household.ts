/**
 * Words of workshops, online services, offices, food and the home, in the form of `trade.ts`:
 * Turkish | English | German | Arabic.
 */
export const HOUSEHOLD_WORDS = `
ucuz uygun ekonomik fiyat | cheap cheapest cheaper affordable price | günstig günstigste billig preis | رخيص ارخص سعر
şifre parola | password passcode | passwort kennwort | مرور
giriş oturum | login log sign-in signin | anmelden einloggen login | دخول
bilgisayar laptop dizüstü cihaz | computer laptop device pc | computer laptop gerät rechner | حاسوب كمبيوتر جهاز
depolama alan kapasite | storage space capacity | speicher speicherplatz | مساحه تخزين
disk harddisk bellek | disk drive usb | festplatte laufwerk | قرص
veri sunucu saklan barındır | data server servers stored | daten server gespeichert | بيانات خادم
sil silin silinir | delete deleted erase | löschen gelöscht | حذف
program yazılım uygulama | program programs software application | programm software anwendung | برنامج
gizlilik kişisel kvkk | privacy personal gdpr | datenschutz | خصوصيه
güvenli güvenlik şifreli | secure security safe encrypted encryption | sicher sicherheit verschlüsselt | امان امن
dernek vakıf stk | charity nonprofit non-profit ngo association | verein gemeinnützig stiftung | جمعيه خيريه
emekli yaşlı | senior seniors retired pensioner elderly | rentner senioren | متقاعد مسن
öğretmen akademisyen | teacher teachers educator | lehrer lehrkraft | معلم
sınır limit kota | limit maximum max cap | limit maximal grenze | حد اقصي
sınırsız limitsiz | unlimited | unbegrenzt unlimitiert | محدود
asgari minimum | minimum least | mindestens minimum | اقل ادني
yenile uzat yenileme | renew extend renewal extension | verlängern verlängerung | تجديد تمديد
ceza gecikme | fine penalty | strafe bußgeld | غرامه
borç | debt owe owed | schulden | دين
stok mevcut tükendi | stock available availability | vorrätig verfügbar lager | متوفر مخزون
orijinal sahte | original genuine authentic | original echt | اصلي
malzeme kumaş | material fabric | material stoff | قماش مواد
beden ölçü ebat boyut | size sizes dimensions measurements | größe größen maße | مقاس حجم
renk | colour color colours colors | farbe farben | لون الوان
ağırlık kilo ağır | weight weigh weighs kilos heavy | gewicht wiegt schwer | وزن
sıra kuyruk bekleme | queue wait waiting | warten wartezeit warteschlange | انتظار
usta teknisyen tamirci | technician mechanic craftsman | techniker monteur handwerker | فني
personel çalışan eleman | staff employee employees | mitarbeiter personal | موظف موظفين
kaza çarpma | accident crash | unfall | حادث
araç araba oto otomobil | car cars vehicle auto | auto wagen fahrzeug | سياره سيارات
motosiklet motor | motorcycle motorbike | motorrad | دراجه ناريه
kamyonet minibüs panelvan | van truck minibus | transporter lieferwagen | شاحنه
lastik teker jant | tyre tire tyres tires wheel | reifen felge | اطار
koltuk döşeme | seat seats upholstery sofa | sitz polster sofa | مقعد كنبه
halı kilim | carpet rug | teppich | سجاد
perde stor | curtain curtains blind | vorhang gardine | ستاره
mobilya dolap | furniture cupboard wardrobe | möbel schrank | اثاث
ev daire konut | house home flat apartment | haus wohnung | بيت منزل شقه
bahçe | garden yard | garten | حديقه
nakliyat taşınma taşıma | moving relocation removals | umzug | نقل
çiçek buket | flower flowers bouquet | blume blumen strauß | ورد زهور
pasta kek tatlı | cake cakes dessert | kuchen torte | كعكه حلويات
ekmek fırın | bread bakery | brot bäckerei | خبز مخبز
şeker şekersiz diyabet | sugar sugar-free diabetic diabetes | zucker zuckerfrei diabetiker | سكر
süt laktoz laktozsuz | milk lactose lactose-free dairy | milch laktose laktosefrei | حليب لاكتوز
fındık fıstık ceviz kuruyemiş | nut nuts hazelnut peanut | nuss nüsse | مكسرات
alkol içki | alcohol alcoholic wine beer | alkohol | كحول
helal | halal | halal | حلال
organik doğal katkısız | organic natural | bio natürlich | عضوي طبيعي
doğumgünü yaşgünü | birthday | geburtstag | ميلاد
etkinlik konser gösteri | event events concert show | veranstaltung konzert | فعاليه
bilet | ticket tickets | ticket eintrittskarte | تذكره
tuvalet lavabo wc | toilet restroom bathroom | toilette wc | مرحاض
priz elektrik | socket power electricity | steckdose strom | كهرباء
aşı aşılama | vaccine vaccination vaccinated vaccinate shot | impfung impfen | لقاح تطعيم
kısırlaştırma kısır | neuter neutering spay sterilisation castration | kastration kastrieren | تعقيم
tahlil laboratuvar sonuç | lab laboratory results | labor ergebnis ergebnisse | تحليل نتيجه
reçete | prescription | rezept | وصفه
gözlük lens | glasses lenses | brille linsen | نظاره
cilt deri | skin | haut | بشره
ehliyet sürücü | licence license driving driver | führerschein fahrer | رخصه قياده
avukat dava | lawyer attorney | anwalt | محامي
muhasebe müşavir | accounting accountant bookkeeping | buchhaltung steuerberater | محاسب محاسبه
ruhsat izin | permit licence license | genehmigung erlaubnis | ترخيص
başvuru dilekçe | application petition apply | antrag | طلب
pencere cam kapı | window door glass | fenster tür | نافذه باب
`
