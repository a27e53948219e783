/**
 * Words of hotels, restaurants, gyms, salons and schools, in the form of `trade.ts`:
 * Turkish | English | German | Arabic.
 */
export const LEISURE_WORDS = `
oda odalar süit | room rooms suite | zimmer suite | غرفه غرف
gece geceleme gecelik konaklama | night nights nightly | nacht nächte übernachtung | ليله ليالي
misafir konuk | guest guests visitor | gast gäste | ضيف ضيوف
kahvaltı | breakfast | frühstück | فطور افطار
akşam yemek yemeği alakart | dinner supper | abendessen | عشاء
öğle yemek yemeği | lunch | mittagessen | غداء
pansiyon yarım tam | board half full | halbpension vollpension | اقامه
restoran lokanta menü | restaurant menu | restaurant speisekarte | مطعم قائمه
vegan vejetaryen | vegan vegetarian | vegan vegetarisch | نباتي
glüten glütensiz çölyak alerji alerjen | gluten gluten-free coeliac celiac allergy allergen | gluten glutenfrei zöliakie allergie | غلوتين حساسيه
havuz yüzme | pool swimming swim | pool schwimmbad schwimmen | مسبح سباحه
plaj sahil deniz kumsal | beach sea coast | strand meer | شاطئ بحر
manzara manzaralı | view | blick aussicht meerblick | اطلاله
şezlong şemsiye | sunbed sunbeds lounger umbrella umbrellas | liege sonnenliege schirm | كرسي مظله
klima soğutma ısıtma ısıtmalı sıcak | air conditioning heating heated warm cooling | klimaanlage heizung beheizt warm | تكييف تدفئه
internet wifi kablosuz | wi-fi wifi internet wireless | wlan internet | انترنت واي
televizyon tv | television televisions tv | fernseher fernsehen | تلفاز تلفزيون
ütü | iron | bügeleisen | مكواه
saç kurutma fön | hair dryer hairdryer | haartrockner föhn | مجفف
bebek yatak yatağı beşik | cot crib baby bed | babybett kinderbett | سرير طفل
giriş check-in | check-in arrival checkin | check-in anreise | دخول وصول
çıkış check-out | check-out checkout departure leave | check-out abreise | خروج مغادره
valiz bagaj bavul | luggage baggage suitcase bags | gepäck koffer | امتعه حقيبه
resepsiyon danışma | reception desk | rezeption empfang | استقبال
evcil hayvan köpek | pet pets dog dogs animal | haustier hund tier | حيوان كلب
evcil hayvan kedi | pet pets cat cats animal | haustier katze tier | حيوان قطه
çamaşır yıkama kuru temizleme | laundry washing | wäsche wäscherei | غسيل
tur gezi tekne | trip tour excursion boat | ausflug tour boot | جوله رحله قارب
bisiklet | bicycle bike bikes bicycles | fahrrad fahrräder | دراجه
kirala kiralık kiralama | rent rental hire | mieten vermietung leihen | تاجير استئجار
düğün kutlama davet organizasyon | wedding party celebration event | hochzeit feier | زفاف حفل
sessiz gürültü müzik | quiet noise music | ruhe lärm musik | هدوء موسيقي
üye üyelik abonelik | member membership members subscription | mitglied mitgliedschaft abo | عضويه اشتراك
dondur dondurma ara | freeze freezing pause frozen | einfrieren pausieren | تجميد
ayrıl bırak sonlandır iptal | quit leave leaving cancel end | kündigen austreten | الغاء
devret devir | transfer transferable | übertragen | تحويل
deneme | trial try | probe probetraining testphase | تجربه
öğrenci | student students | student schüler | طالب
ders sınıf | class classes course lesson session | kurs stunde unterricht | حصه درس
antrenör eğitmen hoca koç | trainer coach instructor | trainer trainerin | مدرب
birebir kişisel özel | personal private one-on-one | persönlich privat einzel | شخصي خاص
spor fitness antrenman egzersiz | gym fitness workout training sports | sport fitness training | رياضه تمرين
salon spor | gym | fitnessstudio studio | صاله نادي
yoga pilates zumba boks | yoga pilates zumba boxing | yoga pilates boxen | يوغا
diyetisyen beslenme diyet | dietitian nutritionist nutrition diet | ernährung diät ernährungsberatung | تغذيه حميه
duş | shower showers | dusche duschen | دش استحمام
sauna hamam buhar | sauna steam | sauna dampfbad | ساونا
havlu | towel towels | handtuch handtücher | منشفه
kilit asma dolap | lock padlock locker lockers | schloss spind schließfach | قفل خزانه
ayakkabı | shoes shoe | schuhe schuh | حذاء
kayıp unuttum eşya | lost found forgot belongings | verloren fundsachen vergessen | مفقود
saç kesim fön kuaför | hair haircut cut hairdresser | haare haarschnitt friseur | شعر قص
manikür pedikür oje tırnak | manicure pedicure nails nail | maniküre pediküre nägel | اظافر
masaj spa | massage spa | massage spa | تدليك مساج
masa rezervasyon yer ayırt | table reservation reserve book | tisch reservierung reservieren | حجز طاوله
seviye sınav | level placement test exam | niveau einstufung einstufungstest test | مستوي اختبار
sertifika belge diploma | certificate diploma | zertifikat bescheinigung | شهاده
kitap | book books | buch bücher | كتاب
vize | visa visas | visum | تاشيره
`
