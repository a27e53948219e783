/**
 * Words of clinics, agencies and other services, in the form of `trade.ts`:
 * Turkish | English | German | Arabic.
 */
export const SERVICE_WORDS = `
klinik muayenehane hastane | clinic practice surgery hospital | klinik praxis | عياده مستشفي
doktor hekim dişçi diş hekimi uzman | doctor dentist physician specialist | arzt ärzte zahnarzt ärztin | طبيب دكتور اطباء
hasta | patient | patient | مريض
randevu | appointment booking book reservation | termin terminvereinbarung | موعد حجز
iptal vazgeç | cancel cancellation cancelled | absagen stornieren kündigen stornierung | الغاء
ertele değiştir kaydır | move reschedule postpone change | verschieben umbuchen | تاجيل
geç gecik gecikme | late delay | spät verspätung | تاخر تاخير
randevusuz | walk walk-in walk-ins | unangemeldet | بدون
acil nöbet nöbetçi gece | emergency urgent night midnight | notfall notdienst notruf nacht | طوارئ عاجل ليل
ağrı ağrıyor sancı acı | pain hurt hurts ache painful painkiller | schmerz schmerzen tut weh | الم وجع
ilaç kesici | medicine painkiller pill drug | medikament schmerzmittel tablette | دواء مسكن
muayene kontrol bakı | check check-up checkup consultation examination exam visit | untersuchung kontrolle beratung | فحص كشف معاينه
tedavi | treatment therapy | behandlung therapie | علاج
diş | tooth teeth dental | zahn zähne | سن اسنان ضرس
dolgu | filling composite | füllung zahnfüllung plombe | حشو حشوه
kanal | root canal | wurzelbehandlung wurzelkanal | عصب قناه
çekim çektir çek | extraction extract remove removal pulled pull | ziehen zahnziehen extraktion entfernen | خلع قلع
yirmilik 20'lik yirmi | wisdom | weisheitszahn | عقل
implant | implant implants | implantat implantate | زراعه زرعه
kaplama zirkonyum kron | crown zirconia veneer | krone zirkon | تاج زيركون
beyazlatma beyazlat | whitening whiten bleaching whiter | bleaching aufhellung aufhellen | تبييض
temizlik taşı tartar | cleaning scale polish tartar | zahnreinigung zahnstein reinigung | تنظيف جير
tel ortodonti plak braket çapraşık | braces orthodontics aligner aligners | zahnspange spange kieferorthopädie | تقويم
röntgen film | x-ray xray x-rays | röntgen röntgenbild | اشعه
anestezi uyuştur uyuş | anaesthesia anesthesia numb | betäubung narkose | تخدير بنج
sigorta poliçe | insurance insurer policy | versicherung krankenkasse krankenversicherung | تامين
sgk ssk devlet | state public sgk | gesetzlich staatlich krankenkasse | حكومي
anlaşma anlaşmalı | contract agreement | vertrag | عقد
çocuk kız oğlum kızım bebek veli | child children kid kids parent | kind kinder eltern | طفل اطفال
hamile gebe | pregnant pregnancy | schwanger | حامل
yaş yaşında | age old years | alter jahre alt | عمر سنه
sigara | smoke smoking cigarette | rauchen zigarette | تدخين ادخن
yemek ye yiyecek iç | eat eating drink food | essen trinken | اكل شرب
şiş şişlik şişti | swelling swollen | schwellung geschwollen | تورم
dikiş | stitch stitches suture | fäden naht | غرز
iyileş kaynama kaynar | heal healing recover recovery | heilung heilen | شفاء التئام
engelli tekerlekli sandalye rampa asansör erişim | wheelchair disabled access elevator lift ramp | rollstuhl barrierefrei aufzug fahrstuhl | كرسي معاق مصعد
havalimanı havaalanı uçak transfer | airport flight pickup | flughafen abholung | مطار
otel konaklama kal | hotel accommodation stay flat apartment | hotel unterkunft | فندق اقامه
konuş dil bil ingilizce almanca | speak language english german | sprechen sprache deutsch englisch | يتحدث لغه
şarj elektrikli | charge charging electric | laden elektroauto | شحن
web site sitesi internet | website web site page | website webseite homepage seite | موقع الكتروني
mağaza e-ticaret eticaret ticaret | shop store e-commerce ecommerce online | onlineshop shop webshop | متجر
uygulama mobil app | app mobile application | app anwendung | تطبيق
tasarım çiz tasarla | design draft | design entwurf gestaltung | تصميم
logo marka kimlik | logo brand branding identity | logo marke | شعار علامه
taslak öneri | draft drafts proposal concept | entwurf entwürfe | مسوده
düzeltme revizyon revize değişiklik | revision revisions change changes correction round | korrektur änderung | تعديل
sosyal medya instagram paylaşım gönderi post içerik | social media instagram post posts content | social media beitrag beiträge | تواصل منشور
yorum | comment comments | kommentar kommentare | تعليق
onay onayla sorul | approve approval approved | freigabe freigeben | موافقه
reklam google meta facebook | ads ad advertising google campaign | werbung anzeigen | اعلان اعلانات
bütçe | budget | budget | ميزانيه
sözleşme taahhüt | contract commitment | vertrag laufzeit | عقد
abonelik aylık | subscription monthly month plan | abo monatlich | شهري اشتراك
teklif | quote offer estimate proposal | angebot kostenvoranschlag | عرض
paket başlangıç | package plan starter basic | paket | باقه
peşin önödeme kapora depozito yarısı ön | deposit upfront advance half start | anzahlung vorkasse | عربون مقدم
hosting barındırma sunucu | hosting host server | hosting | استضافه
bakım güncelleme | maintenance update upkeep | wartung pflege | صيانه
yedek yedekleme | backup backups | backup sicherung | نسخ
alan domain adı | domain | domain | نطاق دومين
dosya kaynak vektör biçim format | file files source vector format | datei dateien | ملف
sahip ait mülkiyet kimin üstüne | own owner ownership belong belongs owns | gehört eigentum besitzer | ملك ملكيه
çekim fotoğraf stüdyo | photo photography shoot studio | foto fotoshooting studio | تصوير
toplantı görüşme zoom online | meeting call zoom online meet | meeting besprechung termin | اجتماع
iş kariyer pozisyon ilan başvuru cv özgeçmiş | job career vacancy position apply cv resume | job stelle karriere bewerbung lebenslauf | وظيفه عمل سيره
staj stajyer | intern internship | praktikum praktikant | تدريب
referans müşteri deneyim tecrübe sektör | reference client experience portfolio | referenz erfahrung kunde | خبره مرجع
süreç adım aşama ilerler işler işliyor | process step steps stage | ablauf prozess schritte | خطوات عمليه
hizmet iş yap | service services offer do | leistung leistungen dienst | خدمه خدمات
türkçe | turkish | türkisch | تركي تركيه
ingilizce | english | englisch | انجليزي انجليزيه
almanca | german | deutsch | الماني المانيه
arapça | arabic | arabisch | عربي عربيه
fransızca | french | französisch | فرنسي فرنسيه
rusça | russian | russisch | روسي روسيه
ispanyolca | spanish | spanisch | اسباني اسبانيه
eğitim öğret ders kurs | training teach course class lesson | schulung kurs unterricht | تدريب دوره درس
hoca öğretmen eğitmen | teacher instructor tutor | lehrer lehrerin | معلم مدرس
kaçır gelemez katıl devam devamsızlık | miss missed absent attend attended | verpassen verpasst fehlen teilnehmen | حضور غياب
kumar bahis | gambling betting casino | glücksspiel wetten | قمار
getir yanımda belge kimlik | bring document documents id | mitbringen unterlagen ausweis | احضار وثائق
`
