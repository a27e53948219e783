/** A question as a visitor types it, and the documents (file names) that may be cited for it. */
export interface Question {
  text: string
  documents: readonly string[]
}

export type SetName = 'react-tr' | 'fastify-en'

function read(list: string): Question[] {
  return list
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', documents = ''] = line.split('|')
      return { text: text.trim(), documents: documents.trim().split(/\s+/).filter(Boolean) }
    })
}

/** The questions that must be answered whatever else happens. */
export const NAMED: Readonly<Record<SetName, readonly Question[]>> = {
  'react-tr': read(`
    Liste elemanlarına neden key vermem gerekiyor? | rendering-lists
    JSX içinde süslü parantez ne işe yarar? | javascript-in-jsx-with-curly-braces
    Effect'e ne zaman ihtiyacım olmaz? | you-might-not-need-an-effect
    state icindeki diziyi nasil guncellerim | updating-arrays-in-state
    Kendi Hook'umu nasıl yazarım? | reusing-logic-with-custom-hooks
    DOM DÜĞÜMÜNE REF İLE NASIL ERİŞİRİM | manipulating-the-dom-with-refs
    TypeScript ile bileşen nasıl yazılır? | typescript
  `),
  'fastify-en': read(`
    How can I run code before the handler of a route? | Reference-Hooks
    What does the trustProxy option do? | Reference-Server Reference-Request
    how do I validate the body agianst a schema | Reference-Validation-and-Serialization
    How do I know that the client has aborted the request? | Guides-Detecting-When-Clients-Abort
    What is prototype poisoning? | Guides-Prototype-Poisoning
    How long is a major version supported? | Reference-LTS
  `),
}

/** Inflected, misspelt, shouted, without diacritics, in other words. Odd places are held out. */
export const ASKED: Readonly<Record<SetName, readonly Question[]>> = {
  'react-tr': read(`
    Bileşenlere prop nasıl geçirilir? | passing-props-to-a-component
    prop için varsayılan değer verebilir miyim | passing-props-to-a-component
    Mevcut projeme React'i nasıl eklerim? | add-react-to-an-existing-project
    sitemin sadece bir bölümünde react kullanabilir miyim? | add-react-to-an-existing-project
    State'i yapılandırırken nelere dikkat etmeliyim? | choosing-the-state-structure
    ic ice gecmis state yapisindan nasil kacinirim | choosing-the-state-structure
    Bir bileşeni koşula göre nasıl gösteririm? | conditional-rendering
    ternary operatörü ile koşullu render | conditional-rendering
    Hangi editörü kullanmalıyım? | editor-setup
    VS Code icin onerilen ayarlar neler, linting gerekli mi | editor-setup
    Reducer fonksiyonu nasıl yazılır? | extracting-state-logic-into-a-reducer
    useState ile useReducer arasındaki fark ne? | extracting-state-logic-into-a-reducer
    Default export ile named export farkı nedir? | importing-and-exporting-components
    ayni dosyadan birden fazla bilesen export edebilir miyim | importing-and-exporting-components
    Saf bileşen ne demek? | keeping-components-pure
    Yan etkileri nereye yazmalıyım? | keeping-components-pure
    Efektin yaşam döngüsü nasıldır? | lifecycle-of-reactive-effects
    bos bagimlilik dizisi ne anlama gelir | lifecycle-of-reactive-effects
    Bir inputa nasıl focus veririm? | manipulating-the-dom-with-refs
    Listedeki öğeye scroll ettirmek istiyorum | manipulating-the-dom-with-refs
    Context ne zaman kullanılmalı? | passing-data-deeply-with-context
    PROP DRILLING SORUNU NASIL ÇÖZÜLÜR | passing-data-deeply-with-context
    Formdaki state'i key ile nasıl sıfırlarım? | preserving-and-resetting-state
    bileşenin state'i ne zaman korunur | preserving-and-resetting-state
    State güncellemeleri neden toplu yapılır? | queueing-a-series-of-state-updates
    setState i arka arkaya 3 kere cagirinca neden sadece 1 artiyor | queueing-a-series-of-state-updates state-as-a-snapshot
    React Compiler'ı nasıl kurarım? | react-compiler
    derleyiciyi react 17 ile kullanabilir miyim | react-compiler
    Geliştirici araçlarını Safari'de nasıl kullanırım? | react-developer-tools
    devtools tarayıcı eklentisi nasıl yüklenir | react-developer-tools
    Bildirimsel UI ile zorunlu UI arasındaki fark nedir? | reacting-to-input-with-state
    formun görsel durumlarını state ile nasıl modellerim | reacting-to-input-with-state
    Ref ile state arasında ne fark var? | referencing-values-with-refs
    kronometre örneğinde interval id nerede tutulur | referencing-values-with-refs
    Efekt bağımlılıklarını nasıl kaldırırım? | removing-effect-dependencies
    linter bagimlilik uyarisini susturmali miyim | removing-effect-dependencies
    Render tetiklemek ne demek, React ne zaman yeniden render eder? | render-and-commit
    react degisiklikleri doma nasil isler | render-and-commit
    Diziyi filtreleyip ekranda listelemek | rendering-lists
    key olarak index kullanmak neden kötü? | rendering-lists
    Olay yöneticisi nasıl eklenir? | responding-to-events
    Olayın üst bileşenlere yayılmasını nasıl durdururum? | responding-to-events
    preventDefault ne işe yarıyor | responding-to-events
    Özel hook isimleri neden use ile başlamalı? | reusing-logic-with-custom-hooks
    Reducer ile context'i nasıl birleştiririm? | scaling-up-with-reducer-and-context
    reducer ve contexti tek dosyaya tasimak | scaling-up-with-reducer-and-context
    Efekt olayı (useEffectEvent) nasıl bildirilir? | separating-events-from-effects
    Olay yöneticisi mi Efekt mi kullanmalıyım? | separating-events-from-effects
    İki bileşen arasında state nasıl paylaşılır? | sharing-state-between-components
    state'i yukarı kaldırmak nedir | sharing-state-between-components
    Yeni bir React projesi başlatmak için hangi framework'ü seçmeliyim? | start-a-new-react-project
    Next.js ile proje nasıl oluşturulur | start-a-new-react-project
    Normal değişken yerine neden state kullanmalıyım? | state-a-components-memory
    useState hookunun anatomisi | state-a-components-memory
    State neden anlık görüntü gibi davranır? | state-as-a-snapshot
    settimeout icinde eski state degeri neden gorunuyor | state-as-a-snapshot
    Efektim neden iki kere çalışıyor? | synchronizing-with-effects
    Temizleme fonksiyonu nasıl eklenir? | synchronizing-with-effects
    Arayüzü bileşen hiyerarşisine nasıl bölerim? | thinking-in-react
    ters veri akisi nedir | thinking-in-react
    Tic tac toe oyununu nasıl yaparım? | tutorial-tic-tac-toe
    oyunda zamanda yolculuk nasıl eklenir | tutorial-tic-tac-toe
    useMemo'nun tipini nasıl belirtirim? | typescript
    mevcut projeye typescript eklemek | typescript
    Render ağacı nedir? | understanding-your-ui-as-a-tree
    modül bağımlılık ağacı ne işe yarar | understanding-your-ui-as-a-tree
    Diziden eleman silmek için ne yapmalıyım? | updating-arrays-in-state
    Dizye öge eklemek | updating-arrays-in-state
    State'teki nesneyi nasıl güncellerim? | updating-objects-in-state
    immer ile ic ice nesneleri guncelleme | updating-objects-in-state updating-arrays-in-state
    HTML'i JSX'e nasıl dönüştürürüm? | writing-markup-with-jsx
    JSX neden tek bir kök eleman döndürmeli? | writing-markup-with-jsx
    Pahalı bir hesaplamayı nasıl önbelleğe alırım? | you-might-not-need-an-effect
    post istegini efekt icinde mi gondermeliyim | you-might-not-need-an-effect
    İlk bileşenimi nasıl tanımlarım? | your-first-component
    bilesnleri ic ice koymak | your-first-component index
    JSX'te çift süslü parantez neden kullanılır? | javascript-in-jsx-with-curly-braces
    Elemanlara CSS sınıfı nasıl eklenir? | index
    Dependency array'den bir bağımlılığı çıkarmak istiyorum | removing-effect-dependencies
    Yayılım (spread) sözdizimi ile obje kopyalama | updating-objects-in-state
  `),
  'fastify-en': read(`
    How do I benchmark my server? | Guides-Benchmarking
    compare the performance of my branch with main | Guides-Benchmarking
    How can I contribute to Fastify? | Guides-Contributing
    setting up visual studio code for the project | Guides-Contributing
    How do I connect to a MySQL database? | Guides-Database
    which plugin do i need for postgres | Guides-Database Guides-Ecosystem
    How to delay accepting requests until the app is ready? | Guides-Delay-Accepting-Requests
    server should not serve requests untill it has talked to the auth provider | Guides-Delay-Accepting-Requests
    Which core plugins are there? | Guides-Ecosystem
    is there a community plugin for graphql | Guides-Ecosystem
    What is fluent schema? | Guides-Fluent-Schema
    write json schemas with a fluent api | Guides-Fluent-Schema
    How do I install Fastify and write my first server? | Guides-Getting-Started
    In which order should plugins be loaded? | Guides-Getting-Started
    What changed in v3 for middleware? | Guides-Migration-Guide-V3
    upgrading from version 2 to 3 | Guides-Migration-Guide-V3
    What are the breaking changes in version 4? | Guides-Migration-Guide-V4
    why was app.use removed | Guides-Migration-Guide-V4 Reference-Middleware
    How do I migrate to v5? | Guides-Migration-Guide-V5
    why does v5 require node 20 | Guides-Migration-Guide-V5
    reply.redirect new signature | Guides-Migration-Guide-V5
    Guide to writing plugins for hitchhikers | Guides-Plugins-Guide
    how can a plugin emit a deprecation warning | Guides-Plugins-Guide Reference-Warnings
    hapi and joi security issue with __proto__ | Guides-Prototype-Poisoning
    Should I use a reverse proxy? | Guides-Recommendations
    nginx configuration example | Guides-Recommendations
    How many vCPUs per instance for production? | Guides-Recommendations
    Can I run Fastify on AWS Lambda? | Guides-Serverless
    deploy to google cloud run | Guides-Serverless
    How should documentation be written? | Guides-Style-Guide
    use active voice instead of passive in docs | Guides-Style-Guide
    How do I test my aplication with inject? | Guides-Testing
    testing with a running server | Guides-Testing
    How to write a good plugin? | Guides-Write-Plugin
    Do I need a license file for my plugin? | Guides-Write-Plugin
    How do I write my own type provider? | Guides-Write-Type-Provider
    type contravariance | Guides-Write-Type-Provider
    How do I parse XML bodies? | Reference-ContentTypeParser
    catch-all content type parser | Reference-ContentTypeParser
    remove all the content type parsers | Reference-ContentTypeParser
    What are decorators for? | Reference-Decorators
    add a property to the request object with decorateRequest | Reference-Decorators
    Explain encapsulation contexts | Reference-Encapsulation
    How do I share a decorator between contexts? | Reference-Encapsulation
    What does FST_ERR_CTP_INVALID_MEDIA_TYPE mean? | Reference-Errors
    How are uncaught errors handeled? | Reference-Errors
    How do I enable HTTP/2? | Reference-HTTP2
    plain text http2 without tls | Reference-HTTP2
    WHEN IS THE ONSEND HOOK CALLED | Reference-Hooks
    which hook runs when a request times out? | Reference-Hooks
    respond to a request from inside a hook | Reference-Hooks
    Which Node.js versions are supported by v4? | Reference-LTS
    security suport after end of life | Reference-LTS
    What is the lifecycle of a request? | Reference-Lifecycle
    what happens on shutdown, step by step | Reference-Lifecycle
    How do I turn on logging? | Reference-Logging
    hide sensitive headers from the logs | Reference-Logging
    Can I use Express middleware? | Reference-Middleware
    restrict middelware to certain paths | Reference-Middleware
    How do I create a plugin with fastify-plugin? | Reference-Plugins
    add a prefix to the routes of a plugin | Reference-Plugins Reference-Routes
    What are the technical principles of the project? | Reference-Principles
    do not monkeypatch core | Reference-Principles
    How do I set a status code on the reply? | Reference-Reply
    how to send a stream as response | Reference-Reply
    remove a response header | Reference-Reply
    How do I read query parameters from the request? | Reference-Request
    get the ip adress of the client | Reference-Request
    How do I declare a route? | Reference-Routes
    versioned routes with accept-version header | Reference-Routes
    route constraints by host | Reference-Routes
    What is the maximum body size? | Reference-Server
    change the keep alive timeout | Reference-Server
    How can I generate my own request ids? | Reference-Server
    case insensitive urls | Reference-Server
    How do I use zod as a type provider? | Reference-Type-Providers
    TypeBox type provider set up | Reference-Type-Providers Reference-TypeScript
    How do I use Fastify with TypeScript generics? | Reference-TypeScript
    create a typescript plugin | Reference-TypeScript
    How do I add a shared schema? | Reference-Validation-and-Serialization
    custom validator compiler with joi or yup | Reference-Validation-and-Serialization
    serialize the response faster with a schema | Reference-Validation-and-Serialization Guides-Getting-Started
    What does the warning FSTWRN001 mean? | Reference-Warnings
    list of deprecation codes | Reference-Warnings
  `),
}

/** Nothing in the documents answers these. Odd places are held out. */
export const UNRELATED: Readonly<Record<SetName, readonly string[]>> = {
  'react-tr': read(`
    Yarın hava nasıl olacak?
    Bugün dolar kaç lira?
    Mercimek çorbası nasıl yapılır?
    İstanbul'da en iyi kebapçı hangisi
    Siparişim ne zaman kargoya verilir?
    iade süresi kaç gün
    Fenerbahçe maçı saat kaçta?
    Python'da sözlük nasıl sıralanır?
    Java ile veritabanına nasıl bağlanırım
    merhaba nasılsın
    Türkiye'nin başkenti neresidir?
    en yüksek dağ hangisidir
    asdfgh qwerty zxcvb
    Arabamın lastiğini nasıl değiştiririm?
    Excel'de pivot tablo nasıl yapılır
    Evde ekmek yapmak için kaç gram maya gerekir?
    kedim neden miyavlıyor
    Pasaport başvurusu için hangi belgeler lazım?
    Vue.js ile yönlendirme nasıl yapılır
    Docker konteynerini nasıl durdururum?
    kredi kartı borcumu nasıl öderim
    Bana bir fıkra anlat
    Hangi telefonu almalıyım?
    uçak bileti fiyatları ne kadar
    Osmanlı İmparatorluğu ne zaman kuruldu?
    Randevu almak istiyorum
    çalışma saatleriniz nedir
    Mağazanız nerede, adresiniz nedir?
    GARANTİ SÜRESİ NE KADAR
    indirim kuponum çalışmıyor
    Diş ağrısına ne iyi gelir?
    saç boyası nasıl çıkarılır
    C++ ile bellek yönetimi nasıl yapılır?
    Linux'ta dosya izinlerini değiştirmek
    Kuantum fiziği nedir?
    bitcoin alınır mı
    Selam, iyi günler
    Futbolda ofsayt kuralı nedir?
    kilo vermek icin ne yemeliyim
    Gitar akortu nasıl yapılır?
    Müşteri temsilcisine bağlanmak istiyorum
    dünyanın en kalabalık ülkesi
    SQL ile iki tabloyu birleştirme
    Almanca öğrenmek ne kadar sürer?
    şifremi unuttum
    Ay'a ilk kim ayak bastı?
  `).map(({ text }) => text),
  'fastify-en': read(`
    What is the capital of Peru?
    What will the weather be like tomorrow?
    How do I bake sourdough bread?
    best pizza place in new york
    Where is my order?
    how long does shipping take
    Can I return a product I bought?
    who won the world cup in 2018
    How do I sort a list in Python?
    connect to a database in django
    What is a monad in Haskell?
    hello
    hi there, how are you?
    asdkjh qwoeiu zmxncb
    How do I change a flat tire?
    pivot table in excel
    What is the tallest mountain in the world?
    why does my cat meow at night
    Do I need a visa for Japan?
    How do I center a div in CSS?
    vue router nested routes
    How can I lose weight quickly?
    tell me a joke
    Which phone should I buy?
    cheap flights to london
    When did the Roman Empire fall?
    I would like to book an appointment
    What are your opening hours?
    Where is your shop located?
    discount code does not work
    How do I cure a toothache?
    how to remove hair dye
    Explain quantum entanglement
    should I invest in bitcoin
    What is the offside rule in football?
    how to tune a guitar
    Talk to a human please
    How do I learn German?
    I forgot my password
    Who was the first person on the moon?
    swift ui navigation stack
    kubectl delete a namespace
    What is the boiling point of water?
    how tall is the eiffel tower
    Recommend me a good book
    git rebase vs merge
    How do I declare an array in Java?
    train a neural network with pytorch
  `).map(({ text }) => text),
}

/** Every second question tunes the search; the others only judge it. */
export function half<T>(list: readonly T[], part: 'tuned' | 'held-out'): T[] {
  return list.filter((_, place) => place % 2 === (part === 'tuned' ? 0 : 1))
}
