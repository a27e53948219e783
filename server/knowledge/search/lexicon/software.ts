/** Words about software in Turkish and English; a line is a group, folded as in the index. */
export const SOFTWARE_WORDS = `
component bilesen komponent
effect efekt etki
state durum
event olay
handler isleyici yonetici
list liste
array dizi
object nesne obje
key anahtar
function fonksiyon islev
error hata exception
server sunucu
client istemci
request istek
response reply yanit cevap
route rota yol
header baslik
body govde
file dosya
folder directory klasor dizin
user kullanici
page sayfa
button buton dugme
form formu
input girdi giris
value deger
variable degisken
parameter parametre argument arguman
option secenek ayar setting
install kur yukle setup kurulum
update guncelle
delete remove sil kaldir
add append ekle
create olustur yarat
change degistir degis
send gonder
receive al
call cagir
return dondur
wait bekle
stop durdur
start baslat
cancel abort iptal
close kapat
open ac
share paylas
pass aktar ilet
reset sifirla
copy kopyala klon clone
default varsayilan
named adlandirilmis
dependency bagimlilik
test sina
validate validation dogrula
schema sema
type tip tur
example sample ornek
version surum versiyon
support destek
security guvenlik
password parola sifre
token jeton
database veritabani
performance performans
slow yavas
fast hizli quick
cache onbellek
memory hafiza bellek
loop dongu
condition kosul condit sart
nested nest ic
external harici dis
render ciz
import ice
export disa
log gunluk logging
crash cok
timeout zamanasimi
expensive pahali maliyetli
plugin eklenti
extension uzanti eklenti
browser tarayici
screen ekran
network ag
style stil
attribute ozellik property prop
tag etiket
brace parantez
tree agac
parent ust ebeveyn
child alt cocuk
logic mantik
reuse yeniden
custom ozel
node dugum
`
