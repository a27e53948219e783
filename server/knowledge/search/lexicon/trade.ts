/**
 * Everyday words of shops and offices. A line is one idea: Turkish | English | German | Arabic, each
 * word as a visitor or a document may write it, without endings.
 */
export const TRADE_WORDS = `
kargo gönderim gönder gönderi teslimat yolla yollu sevkiyat posta nakliye | shipping ship delivery deliver postage shipment courier send sent dispatch | versand versende lieferung liefern liefert lieferzeit verschicken zustellung porto | شحن تشحن توصيل توصل تسليم ارسال ترسل
teslimat teslim ulaş gelir varır | delivery deliver arrive arrival | lieferung lieferzeit ankommen ankunft | توصيل يصل وصول تسليم
paket koli kargom | parcel package packet | paket päckchen sendung | طرد
takip takibi izle nerede | track tracking trace | verfolgen sendungsverfolgung tracking | تتبع
sipariş siparişim alışveriş | order ordered purchase | bestellung bestellen bestellt | طلب طلبيه طلبي
ücret fiyat tutar bedel kaça masraf maliyet tarife parası parasını | price cost fee charge pricing rate expensive | preis kosten kostet gebühr teuer | سعر تكلفه ثمن رسوم يكلف
ücretsiz bedava beleş bedelsiz | free gratis complimentary | kostenlos gratis umsonst kostenfrei | مجاني مجانا
ücretli paralı | paid charged | kostenpflichtig | مدفوع
iade geri değişim | return refund exchange | rückgabe zurückgeben zurückschicken retoure umtausch rücksendung | ارجاع استرجاع استبدال اعاده
para yatar yatır hesabıma | refund money reimburse | geld rückerstattung erstattung zurück | استرداد استعيد مال اموال فلوس
ödeme öde öder ödüyor ödersem ödenir ödeye | payment pay checkout | zahlung bezahlen zahlen zahlungsart | دفع ادفع
kart kredi | card credit | karte kreditkarte | بطاقه
havale eft iban transfer | transfer wire iban | überweisung überweisen | تحويل
nakit peşin | cash | bar bargeld | نقد نقدا كاش
taksit vade taksitli | instalment installment instalments installments | rate raten ratenzahlung | تقسيط اقساط
faizsiz vadesiz farksız | interest | zinsen zinslos | فائده
fatura makbuz fiş | invoice receipt bill | rechnung beleg quittung | فاتوره
vergi kdv | tax vat | steuer mehrwertsteuer mwst | ضريبه
gümrük | customs duty duties import | zoll zollgebühren | جمارك
kurumsal şirket firma | company business corporate | firma unternehmen | شركه
indirim kampanya promosyon fırsat ucuz ucuzla | discount offers sale promotion promo reduction deal cheap cheaper | rabatt nachlass angebot ermäßigung | خصم تخفيض عرض
kupon kod indirim | coupon code voucher promo discount | gutschein code rabattcode gutscheincode | كوبون كود
hediye çek çeki kartı | gift voucher card | geschenk geschenkgutschein geschenkkarte | هديه
sepet | cart basket | warenkorb | سله
mağaza dükkan şube showroom | store shop branch showroom | geschäft laden filiale | متجر محل فرع
ofis büro | office | büro | مكتب
adres konum yer nerede nerdesiniz lokasyon semt | address location located find where directions street | adresse standort anfahrt straße | عنوان موقع يقع مكان
saat açık kapalı açılış kapanış mesai açıyor açılıyor kapatıyor kapanıyor | open opening close closing closed hour hours time | geöffnet öffnungszeiten offen geschlossen schließen öffnen uhr uhrzeit | ساعات مفتوح تفتح تفتحون مغلق اوقات دوام تعملون العمل
çalışma mesai açık | working business office open | arbeitszeit geöffnet | عمل دوام
kapalı tatil | closed holiday | geschlossen | مغلق عطله
pazar | sunday sundays weekend | sonntag sonntags wochenende | الاحد
cumartesi | saturday saturdays weekend | samstag samstags wochenende | السبت
pazartesi | monday mondays | montag montags | الاثنين
hafta içi haftaiçi | weekday weekdays | werktag wochentag wochentags | ايام
haftasonu hafta sonu | weekend saturday sunday | wochenende | نهايه
tatil bayram resmi | holiday holidays | feiertag feiertage feiertagen | عطله عيد
bugün aynı gün | today same day | heute | اليوم
yürüyerek yürüme metro otobüs ulaşım durak | walk walking metro subway bus foot transport station | fuß bahn u-bahn bus haltestelle | مترو مشي باص
otopark park araba araç garaj | parking park car garage | parkplatz parkplätze parken parkhaus auto garage | موقف سيارات سياره مواقف
telefon numara ara tel gsm | phone telephone number call | telefon telefonnummer nummer anrufen | هاتف رقم اتصال
eposta mail posta e-posta | email mail e-mail | mail email e-mail | بريد ايميل
iletişim ulaş destek temas | contact support reach help | kontakt support erreichen | تواصل اتصال دعم
destek yardım müşteri hizmet | support help customer service | hilfe support kundenservice kundendienst | دعم مساعده
toptan toplu bayi bayilik | wholesale bulk reseller large | großhandel großbestellung mengenrabatt | جمله
adet tane | piece pieces quantity | stück menge anzahl | قطعه
kafe otel restoran | cafe hotel restaurant | café hotel restaurant | مقهي فندق
logo baskı | logo print printing | logo druck aufdruck | شعار طباعه
fincan bardak kupa | cup mug glass cups | tasse becher glas tassen | كوب فنجان اكواب
porselen seramik | porcelain ceramic china | porzellan keramik | بورسلان خزف
altın yaldız yaldızlı kenar kenarlı | gold gilded rim golden | gold goldrand rand | ذهبي ذهب
bulaşık makine makinesi | dishwasher machine | spülmaschine geschirrspüler spülmaschinenfest | غساله صحون جلايه
elde elle | hand | hand | يدوي
yıka yıkan temizle temizlik bakım | wash clean cleaning care | waschen reinigen reinigung pflege spülen | غسل تنظيف عنايه
mikrodalga | microwave | mikrowelle | ميكروويف
kahve çekirdek | coffee bean beans | kaffee bohnen kaffeebohnen | قهوه حبوب
espresso makinesi makine | espresso machine | espressomaschine kaffeemaschine maschine | ماكينه اله
değirmen öğütücü | grinder | mühle kaffeemühle | مطحنه
kireç kireçlen | limescale descale scale | kalk entkalken | ترسبات
sakla saklama muhafaza dayan bayatla taze | store storing keep storage fresh last | lagern aufbewahren haltbar frisch | تخزين حفظ
buzdolabı dolap | fridge refrigerator | kühlschrank | ثلاجه
kırık hasar hasarlı kırıl çatla bozuk kopmuş kopuk ezik çizik | broken damaged damage crack cracked defective broke smashed shattered chipped scratched | kaputt beschädigt zerbrochen defekt schaden | مكسور تالف ضرر
arıza arızalı bozul tamir onarım servis çalışmıyor | faulty repair fix broken malfunction service defect | reparatur defekt kaputt reparieren | عطل اصلاح صيانه
garanti garantili | warranty guarantee guaranteed | garantie gewährleistung | ضمان كفاله
fotoğraf resim foto | photo picture image | foto bild | صوره
ürün mal | product item article goods | produkt artikel ware | منتج سلعه
süre gün kadar sürer | period time duration long take takes | dauer dauert frist zeit lange | مده يوم ايام
kullanılmış kullanılmamış | used unused | benutzt gebraucht unbenutzt | مستعمل
teslim al gel al mağazadan elden | pick pickup collect collection | abholen abholung | استلام
numara sms kod | number text message sms | nummer sms | رقم رساله
hazır | ready | fertig bereit | جاهز
kişi kişilik kişiliktir | people person persons guest guests seats students | personen person leute gäste | اشخاص شخص
uzak uzaklık yakın mesafe | far near nearby distance away close | weit entfernt nähe entfernung | بعيد قريب مسافه
ek ekstra ayrı ayrıca ilave | extra additional separate separately | extra zusätzlich | اضافي
dahil içinde | included include includes including | inbegriffen inklusive enthalten | يشمل شامل
kayıt kaydol yazıl yazdır başvur | sign register registration enrol enroll enrolling join | anmelden anmeldung einschreiben | تسجيل
hesap üyelik | account membership | konto | حساب
`

/**
 * Countries and cities that visitors ask about, beside the words for other countries, in the same way. What is
 * said of one is likely meant for the other, but not surely.
 */
export const PLACE_WORDS = `
yurtdışı yurt ülke avrupa uluslararası amerika abd kanada rusya japonya dubai azerbaycan isviçre norveç | abroad international overseas foreign europe country european usa america canada russia japan dubai australia switzerland norway | ausland amerika kanada russland schweiz norwegen international europa land | خارج دولي دوله اوروبا
almanya fransa hollanda belçika avusturya italya ispanya yunanistan polonya avrupa berlin münih paris roma madrid viyana amsterdam atina | germany france netherlands belgium austria italy spain european union greece poland berlin munich paris leipzig vienna rome madrid amsterdam athens | deutschland frankreich niederlande österreich italien spanien europa | المانيا فرنسا هولندا ايطاليا اسبانيا النمسا اوروبا
ingiltere britanya birleşik krallık londra | uk england britain kingdom london | england großbritannien | بريطانيا انجلترا
`
/** Words of the table that name no single place. */
export const WORDS_FOR_ABROAD = `yurtdışı yurt ülke avrupa uluslararası birleşik krallık abroad international overseas foreign europe
  country european union kingdom ausland international europa land خارج دولي دوله اوروبا`
