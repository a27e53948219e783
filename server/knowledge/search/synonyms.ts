/**
 * Synonyms about software, shops and services, and Turkish and English translations. One line is one
 * group; stems are folded as in the index.
 */
const SYNONYM_GROUPS = `
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
price fiyat ucret cost
order siparis
shipping delivery kargo teslimat
refund return iade
payment odeme
invoice fatura
appointment randevu
phone telefon
address adres
hour saat
contact iletisim
warranty garanti
product urun
discount indirim
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

/** Synonyms by folded word or stem. */
export type Synonyms = ReadonlyMap<string, readonly string[]>

/** Parses the table above; each index holds the result. */
export function readSynonyms(): Synonyms {
  const found = new Map<string, string[]>()
  for (const line of SYNONYM_GROUPS.trim().split('\n')) {
    const group = line.split(' ')
    for (const word of group) {
      const others = found.get(word) ?? []
      others.push(...group.filter((other) => other !== word))
      found.set(word, others)
    }
  }
  return found
}
