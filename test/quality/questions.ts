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

/** Inflected, misspelt, shouted, without diacritics, in other words: what the search was tuned with. */
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

/** More to tune with, written after a first look at what went wrong. */
export const PRACTICE: Readonly<Record<SetName, readonly Question[]>> = {
  'react-tr': read(`
    Alt bileşenden üst bileşene veri nasıl gönderirim? | you-might-not-need-an-effect sharing-state-between-components thinking-in-react
    Butona tıklayınca bir fonksiyon çalıştırmak istiyorum | responding-to-events
    input değerini state ile kontrol etmek | sharing-state-between-components reacting-to-input-with-state
    useEffect sonsuz döngüye giriyor, ne yapmalıyım? | removing-effect-dependencies synchronizing-with-effects
    sunucuya baglanan efekti nasil temizlerim | synchronizing-with-effects lifecycle-of-reactive-effects
    propları değiştirebilir miyim? | passing-props-to-a-component keeping-components-pure
    bilesen isimleri neden buyuk harfle baslar | your-first-component index
    null döndüren bileşen | conditional-rendering
    && operatörünün solunda sayı kullanmak | conditional-rendering
    dispatch fonksiyonuna ne gönderilir | extracting-state-logic-into-a-reducer
    Immer kütüphanesi ne işe yarıyor? | updating-objects-in-state updating-arrays-in-state extracting-state-logic-into-a-reducer
    STRICT MODE NEDEN BİLEŞENİ İKİ KEZ ÇAĞIRIYOR | keeping-components-pure synchronizing-with-effects
    bileşenim yeniden render olunca değişkenim sıfırlanıyor | state-a-components-memory
    context saglayicisi nasil yazilir | passing-data-deeply-with-context
    listeyi ters çevirmek veya sıralamak | updating-arrays-in-state
    tarayıcı ekranı ne zaman boyar | render-and-commit
    forwardRef ne için kullanılıyor | manipulating-the-dom-with-refs
    iki ayrı state değişkenini birleştirmeli miyim | choosing-the-state-structure
    JSX etiketlerini kapatmam şart mı | writing-markup-with-jsx
    Hook'ları koşul içinde çağırabilir miyim? | state-a-components-memory index
    onClick icinde fonksiyonu cagirmak yerine gecirmek | responding-to-events
    react-devtools paketi | react-developer-tools
    ESLint eklentisi editorde nasil calisir | editor-setup react-compiler
    Sohbet odasina baglanti kuran efekt | lifecycle-of-reactive-effects synchronizing-with-effects separating-events-from-effects
    children propu ile içerik sarmalama | passing-props-to-a-component
    verileri fetch ile nasıl çekerim? | you-might-not-need-an-effect synchronizing-with-effects
    oyunun kazananı nasıl belirlenir? | tutorial-tic-tac-toe
    güncelleyici fonksiyon nedir | queueing-a-series-of-state-updates
    JSX nedir? | writing-markup-with-jsx
    reducer nedir | extracting-state-logic-into-a-reducer scaling-up-with-reducer-and-context
    prop drilling | passing-data-deeply-with-context
    ref nedir? | referencing-values-with-refs manipulating-the-dom-with-refs
    strict mode | keeping-components-pure synchronizing-with-effects
    fragment kullanımı | writing-markup-with-jsx rendering-lists
    render fazı | render-and-commit
    özel hook | reusing-logic-with-custom-hooks
    flushSync | manipulating-the-dom-with-refs
    tek doğruluk kaynağı | sharing-state-between-components
    olay yakalama fazı | responding-to-events
    use client yan etki | keeping-components-pure
    stateler neden değişmez kabul edilmeli | updating-objects-in-state tutorial-tic-tac-toe
    Kullanıcı değişince formun temizlenmesi | preserving-and-resetting-state you-might-not-need-an-effect
    üçüncü parti kütüphaneyi efektle senkronize etmek | synchronizing-with-effects lifecycle-of-reactive-effects
  `),
  'fastify-en': read(`
    How can I upload large payloads without hitting the limit? | Reference-Server Reference-Routes
    what is the difference between preHandler and preValidation | Reference-Hooks
    How do I return an error with a custom status code? | Reference-Reply Reference-Errors
    set cookies or headers on every response | Reference-Reply Reference-Hooks
    how to log in a prettier format while developing | Reference-Logging
    Change the log level of one route | Reference-Routes Reference-Logging
    wildcard or parametric urls | Reference-Routes
    close the server gracefully | Reference-Server Reference-Hooks Reference-Lifecycle
    How do I listen on all addresses? | Reference-Server
    inject fake requests in unit tests | Guides-Testing Reference-Server
    mongodb connection plugin | Guides-Database Guides-Ecosystem
    migrating express app middleware | Reference-Middleware
    what does fastify-plugin do with encapsulation | Reference-Plugins Guides-Plugins-Guide Reference-Encapsulation
    can decorators hold reference types like objects | Reference-Decorators Guides-Migration-Guide-V5
    ssl certificates https options | Reference-HTTP2 Reference-Server
    how to strip unknown properties from the body | Reference-Validation-and-Serialization
    error messages of ajv in another language | Reference-Validation-and-Serialization
    is express suported | Reference-Middleware
    when is node 18 dropped | Guides-Migration-Guide-V5 Reference-LTS
    run on google firebase functions | Guides-Serverless
    vercel deployment | Guides-Serverless
    kubernetes readiness probe | Guides-Recommendations
    url rewriting before routing | Reference-Server
    404 handler customise | Reference-Server
    async handlers and returning reply | Reference-Routes Reference-Reply
    send a file download stream | Reference-Reply
    what types does the request generic take | Reference-TypeScript
    which ajv options are used by default | Reference-Validation-and-Serialization Reference-Server
    graceful shutdown | Reference-Lifecycle Reference-Server Reference-Hooks
    log redaction | Reference-Logging
    What is a hook? | Reference-Hooks
    ajv plugins | Reference-Validation-and-Serialization
    reply.send | Reference-Reply
    onReady | Reference-Hooks
    bodyLimit | Reference-Server Reference-Routes
    child logger | Reference-Logging Reference-Server
    serializers | Reference-Logging Reference-Reply Reference-Validation-and-Serialization
    typebox | Reference-Type-Providers Reference-TypeScript
    decorateReply | Reference-Decorators
    graphql | Guides-Ecosystem
    semver policy | Reference-LTS Reference-Principles
    pull request rules for contributers | Guides-Contributing
    should plugins have tests and docs | Guides-Write-Plugin
  `),
}

export const PRACTICE_UNRELATED: Readonly<Record<SetName, readonly string[]>> = {
  'react-tr': read(`
    Angular'da servis nasıl oluşturulur?
    Hangi dili öğrenmeliyim Python mu Go mu?
    Makarna kaç dakika haşlanır?
    Ankara'dan İzmir'e otobüs kaç saat
    toplantıyı yarına erteleyebilir miyiz
    ev kirası ne kadar artacak
    Excel formülü ile toplam alma
    Kargom nerede kaldı
    ürün iade etmek istiyorum
    Telefonumun ekranı kırıldı
    Fatura adresimi değiştirmek istiyorum
    kaç yaşındasın
    sen kimsin
    bana bir şiir yaz
    futbol topu kaç gram
    PostgreSQL'de index nasıl oluşturulur
    PHP ile form doğrulama
    en güzel tatil yerleri
    Kahve makinesi nasıl temizlenir
    ödeme yaparken hata alıyorum
  `).map(({ text }) => text),
  'fastify-en': read(`
    How do I create an Angular service?
    Which language should I learn, Python or Go?
    How long should I boil pasta?
    bus from berlin to munich
    can we move the meeting to friday
    how much is the rent
    sum of a column in google sheets
    my parcel has not arrived
    I want to cancel my subscription
    my phone screen is broken
    change my billing address
    how old are you
    write me a poem
    rust borrow checker lifetimes
    flask blueprint routes
    best holiday destinations
    how to clean a coffee machine
    payment failed, what now
    who invented the telephone
    what is machine learning
  `).map(({ text }) => text),
}

/** Written before the last tuning and never looked at while tuning. */
export const HELD_OUT: Readonly<Record<SetName, readonly Question[]>> = {
  'react-tr': read(`
    Var olan bir siteye React eklemek mümkün mü? | add-react-to-an-existing-project
    react nativei mevcut mobil uygulamamda kullanmak | add-react-to-an-existing-project
    Gereksiz state'ten nasıl kaçınırım? | choosing-the-state-structure
    birbiriyle celisen state degiskenleri | choosing-the-state-structure
    KOŞULLU RENDER NASIL YAPILIR | conditional-rendering index
    kodumu otomatik bicimlendirmek istiyorum | editor-setup
    useReducer'a nasıl geçerim? | extracting-state-logic-into-a-reducer
    kök bileşen dosyası nedir | importing-and-exporting-components
    Bileşeni başka dosyaya taşımak | importing-and-exporting-components
    Nesneleri JSX içinde süslü parantezle kullanma | javascript-in-jsx-with-curly-braces
    bilesnler neden saf olmali | keeping-components-pure
    lokal mutasyon | keeping-components-pure
    Bileşen unmount olunca efekte ne olur? | lifecycle-of-reactive-effects synchronizing-with-effects
    reaktif degerler nelerdir | lifecycle-of-reactive-effects separating-events-from-effects
    Refler ile DOM manipülasyonunda nelere dikkat etmek gerekir | manipulating-the-dom-with-refs
    react ref'leri ne zaman ekliyor | manipulating-the-dom-with-refs
    Proplari cok derine aktarmadan veri gecirmek | passing-data-deeply-with-context
    varsayılan prop değerleri | passing-props-to-a-component
    spread sözdizimiyle propları iletmek | passing-props-to-a-component
    aynı konumdaki state nasıl sıfırlanır | preserving-and-resetting-state
    batching nedir | queueing-a-series-of-state-updates
    React Compiler ne yapar? | react-compiler
    compiler'i Vite ile kullanmak | react-compiler
    Chrome için geliştirici araçları eklentisi | react-developer-tools tutorial-tic-tac-toe
    deklaratif arayüz düşünme biçimi | reacting-to-input-with-state
    ref.current render sırasında okunur mu | referencing-values-with-refs
    Efektteki gereksiz bağımlılıkları kaldırma | removing-effect-dependencies
    İlk render nasıl tetiklenir? | render-and-commit
    anahtarlarin kurallari | rendering-lists
    event propagation'ı durdurmak | responding-to-events
    Form gönderilince sayfanın yenilenmesini engellemek | responding-to-events
    Mantığı bileşenler arasında paylaşmak için hook çıkarmak | reusing-logic-with-custom-hooks
    dispatch'i context ile asagi iletmek | scaling-up-with-reducer-and-context
    Efekt olaylarının kısıtlamaları neler? | separating-events-from-effects
    Kontrollü ve kontrolsüz bileşen farkı | sharing-state-between-components
    Gatsby ile başlamak | start-a-new-react-project
    framework olmadan react kullanilir mi | start-a-new-react-project
    bir bileşende birden çok state tutmak | state-a-components-memory
    render islemi anlik goruntu alir | state-as-a-snapshot
    Geliştirme ortamında efekt iki defa tetikleniyor | synchronizing-with-effects
    Efekt bagimliliklarini belirtmek | synchronizing-with-effects removing-effect-dependencies
    Statik versiyonu nasıl oluştururum? | thinking-in-react
    minimal state nasıl belirlenir | thinking-in-react
    Tahtadaki karelere tıklayınca X koymak | tutorial-tic-tac-toe
    useContext icin tip tanimlama | typescript
    Kullanıcı arayüzünü ağaç olarak düşünmek | understanding-your-ui-as-a-tree
    dizideki nesneyi guncellemek | updating-arrays-in-state
    Mutasyon nedir? | updating-objects-in-state
    camelCase özellik adları JSX | writing-markup-with-jsx
    Prop değişince state'i ayarlamak için efekt gerekir mi? | you-might-not-need-an-effect
    dış depoya abone olmak useSyncExternalStore | you-might-not-need-an-effect
    bileşenleri iç içe yerleştirme ve düzenleme | your-first-component index
  `),
  'fastify-en': read(`
    run benchmarks in different branches | Guides-Benchmarking
    What contributions are you looking for? | Guides-Contributing
    writing a plugin for a databse library | Guides-Database
    database migrations with postgrator | Guides-Database
    reject requests until startup work is finished | Guides-Delay-Accepting-Requests
    detect that the browser closed the conection | Guides-Detecting-When-Clients-Abort Reference-Hooks
    What tools does the community offer? | Guides-Ecosystem
    reuse fluent schemas | Guides-Fluent-Schema
    run my server from the command line | Guides-Getting-Started
    MIDDLEWARE CHANGES WHEN MIGRATING TO V3 | Guides-Migration-Guide-V3
    codemods for version four | Guides-Migration-Guide-V4
    is jsonShortHand removed? | Guides-Migration-Guide-V5
    diagnostics channel suport | Guides-Migration-Guide-V5 Reference-Hooks
    distribute a plugin on npm | Guides-Plugins-Guide Guides-Write-Plugin
    JSON.parse and __proto__ attack | Guides-Prototype-Poisoning
    haproxy set up | Guides-Recommendations
    common causes of bad performance | Guides-Recommendations
    Can I deploy to netlify? | Guides-Serverless
    is it a good idea to run on a serverless platform | Guides-Serverless
    who are the docs written for? | Guides-Style-Guide
    avoid contractions in documentation | Guides-Style-Guide
    debugging node tests | Guides-Testing
    tests for my plugin | Guides-Testing Guides-Write-Plugin
    which linter should my plugin use | Guides-Write-Plugin
    parser for a custom content type | Reference-ContentTypeParser
    check whether a content type parser exists | Reference-ContentTypeParser
    is there a decorator with that name alredy | Reference-Decorators
    getters and setters in decorators | Reference-Decorators
    child contexts inherit from the parent | Reference-Encapsulation
    catching errors in promises | Reference-Errors
    what does the default error handler send | Reference-Errors
    http2 over tls | Reference-HTTP2
    order in which onClose hooks are executed | Reference-Hooks
    hook that is called after a response has been sent | Reference-Hooks
    When does support for v5 end? | Reference-LTS
    diagram of the request lifecycle | Reference-Lifecycle
    use my own pino logger instance | Reference-Logging Reference-Server
    track a request by its id in the logs | Reference-Logging
    fastify express alternative engines for middleware | Reference-Middleware
    load a plugin written as an es module | Reference-Plugins Guides-Plugins-Guide
    Why is everything a plugin? | Reference-Principles Guides-Plugins-Guide
    redirect to another url | Reference-Reply
    set a trailer | Reference-Reply
    early hints | Reference-Reply
    what does request.hostname give me | Reference-Request
    raw request object and its properties | Reference-Request
    shorthand for get and post routes | Reference-Routes
    async costum constraints | Reference-Routes
    prefix routes with /v1 | Reference-Routes Reference-Plugins
    how many requests per socket | Reference-Server
    what is printRoutes | Reference-Server
    add a not found handler | Reference-Server
    json schema to ts | Reference-Type-Providers Reference-TypeScript
    type definitions for a plugin | Reference-TypeScript
    serializer compiler | Reference-Validation-and-Serialization Reference-Server
    schema validation of headers | Reference-Validation-and-Serialization
    turn off deprecation warnings | Reference-Warnings
  `),
}

export const HELD_OUT_UNRELATED: Readonly<Record<SetName, readonly string[]>> = {
  'react-tr': read(`
    Bugün İstanbul'da hava kaç derece?
    Menemen tarifi verir misin
    Kargo ücreti ne kadar?
    Siparişimi iptal etmek istiyorum
    Galatasaray kaç puanda
    C# ile listeyi sıralama
    Django'da model oluşturma
    Kotlin coroutine nedir
    MySQL bağlantısı nasıl kurulur
    Fransa'nın başkenti
    en uzun nehir hangisi
    lkjhg poiuy mnbvc
    nasıl kilo alırım
    kahve makinesi arızası
    vize başvurusu ücreti
    Ehliyet sınavı ne zaman?
    doktor randevusu alabilir miyim
    Whatsapp'tan yazabilir miyim?
    taksit seçenekleri var mı
    Hangi film izlenir
    tavuk pilav kaç kişilik
    Photoshop'ta arka plan silme
    Atatürk hangi yıl doğdu
    kira sözleşmesi örneği
    bebek bezi hangi marka
    GÜNEŞ KREMİ ÖNERİR MİSİN
    iyi akşamlar
    Svelte ile mağaza oluşturma
    terraform modülü nedir
    Otel rezervasyonu nasıl yapılır?
  `).map(({ text }) => text),
  'fastify-en': read(`
    What is the temperature in Paris today?
    pancake recipe
    How much is delivery to Canada?
    I want to cancel my order
    who is leading the premier league
    sorting lists in c#
    django models tutorial
    what is a kotlin coroutine
    capital city of France
    longest river in africa
    zxcv qwer asdf
    how to gain muscle
    coffee machine repair
    visa application fee
    driving test dates
    see a doctor today
    can I pay in instalments
    what movie should I watch
    remove the background in photoshop
    when was Napoleon born
    rental agreement sample
    which diapers are best
    recommend a sunscreen
    good evening
    svelte stores
    terraform modules
    hotel booking
    how do plants make oxygen
    unity game engine physics
    wordpress theme colors
  `).map(({ text }) => text),
}

/** Nothing in the documents answers these. */
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
