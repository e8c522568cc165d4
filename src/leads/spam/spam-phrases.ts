import { lazy } from '../../lib/lazy.ts';

/**
 * What spam to forms of Russian sites sells. A star stands for any letters, a hash for a number, the rest for whole
 * words in any case, «ё» written as «е». Sellers use many of these words about goods of their own, so a phrase is no
 * verdict; what they ask of a warehouse, such as «слот», «карточка» or «тендер», does not belong here.
 */
export const topic = phrases(`
  продвиже* сайт* | продвиже* вашего сайт* | продвигаем | продвига* бизнес* | seo | топ-3 | топ-10 | топ выдачи
  попасть в топ | поисковых системах | поведенческ* фактор* | посещаемост* | прогон по | накрутк* | ссылочн*
  вечные ссылки | крауд-маркетинг | отзывы на яндекс* | контекстн* реклам* | таргетирован* | настройк* директ* | smm
  лидогенераци* | чат-бот* | нейросет* | создани* сайт* | разработк* сайт* | делаем сайты | 3d-ролик*
  бесплатн* аудит* | backlink* | guest post* | sponsored article* | link building | domain authority | web design
  redesign | rank higher | google ranking | page of google | website traffic | real traffic | instagram followers
  tiktok views | explainer video* | app development
  казино | casino | фриспин* | free spins | лотере* | фрибет | букмекер* | ставк* на спорт | договорн* матч* | интим*
  секс | ищу мужчину | viagra | cialis | приворот* | снятие порчи | гадани* | вейпы | сигареты | прокси | replica
  криптовалют* | crypto | bitcoin | btc | usdt | инвестируй* | пассивн* доход* | форекс | forex | заработ* в интернете
  без вложений | трейдинг* | займ | лизинг* | факторинг* | обнал* | вам начислен* | вам одобрен* | номер выиграл
  выиграй* | выплата | loan* | million dollars | диплом спб | диплом о высшем | купить диплом* | купить аттестат*
  удостоверени* | kraken | кракен | darknet
  вывод из реестра | исключени* из реестра | недобросовестн* поставщик* | рнп | сро | лицензи* мчс | ликвидаци* ооо
  банкротств* | списани* долг* | 115-фз | готов* фирм* | готовые ооо | взыскани* | аккредитаци* | вашего домена
  возврат ндс
  баз* клиентов | баз* телефонов | баз* компаний | по базе | парсинг* | обзвон* | холодн* звон* | рассылк* по
  рассылк* писем | рассылк* сообщений | email рассылк* | whatsapp рассылк* | email list* | contact forms
  горячи* лид* | перехват* клиентов | перехват* звонков | ваших конкурентов | контакт* конкурентов
  звонк* конкурентов | посетителей вашего сайта | идентификаци* посетител* | вебинар* | опрос владельцев | your leads
`);

/** How those turn to a company who want to sell it something. Suppliers and carriers do so, too. */
export const pitch = phrases(`
  предлага* | предлож* | наше агентство | наши клиенты | увелич* | помогаем | поможем | помогу | настро* | внедр*
  оформ* | разработ*
  ваш* сайт* | ваш* бизнес* | ваш* компани* | ваш* бренд* | ваш* продаж* | ваш* конкурент* | ваш* руководител*
  собственник* | сделаю
  привести клиентов | бесплатн* | в подарок | даром | под ключ | гарантируем | скидк* | акция | выгодн* | дешево
  недорого | от #
  портфолио | кейсы | примеры | консультаци* | созвон* | обсудим | встретимся | приглаша* | пригласить | регистрация по
  пишите | подробнее | подробности | узнайте | кому отправить
  your website | your web site | your site | website owner | we offer | we provide | we can | we will | our team
  our writers
  unsubscribe | click here | limited time | for your blog | buy | visit | contact us | can i send | see samples
  book a call
  dear friend | dear sir | best price
`);

/** What people ask of a warehouse, and how they ask for anything, in the languages of those who write. */
export const trade = phrases(`
  wb | вб | вайлд* | валбер* | wildberries | озон* | ozon* | яндекс маркет* | маркетплейс* | kaspi | каспи | селлер*
  fbo | fbs | фбо | фбс | пвз | фулфи* | fulfil* | *склад* | хранен* | хранить | *паков* | *паку* | *маркир*
  честн* знак* | чз | киз* | этикет* | стикер* | штрихкод* | бирк* | пакет* | короб* | *палет* | *паллет* | мешок
  мешк* | груз* | карго | *тамож* | товар | товара | товары | товаров | товаром | артикул* | sku | остатк* | поставк*
  слот | слоты | приемк* | пересч* | карточк* | инфографик* | забор | забрать | забер* | *везти | *везу | *везем
  *везет | *возите | *возим | достав* | отгруз* | отправк* | посылк* | возвраты | возвратов | возвратам | шт | штук*
  кг | куб* | тонн* | брак | сдэк | заказ* | газел* | водител* | грузчик* | ваканс* | упд | акт | акты
  реквизит* | претенз* | верните | возмест* | удалите
  скольк* | скока | стоит | тариф* | посчита* | рассчита* | расчет | кп | перезвоните | позвоните | звонить
  нужен | нужна | нужно | нужны | надо | хочу | можно | пожалуйста | прошу | просим | пришлите | скажите | подскажите
  помогите | посмотрите | дайте | куда | почему | берете | возьмете | примете | делаете | сделаете | работаете | сможете
  дадите | обещали
  warehouse* | storage | label* | carton* | ctns | pallet* | cargo | pcs | cbm | goods | moscow | sklad* | upakov*
  ombor* | depo* | magazyn* | moskva* | қойма* | պահեստ* | საწყობ* | *仓* | *贴标* | *مستودع* | *창고* | қанша | канча
  qancha | narx* | fiyat* | керек | kerak | *报价*
`);

/** One expression for phrases between bars and line ends; to make it takes as long as a twentieth of a start. */
function phrases(text: string): () => RegExp {
  return lazy(() => expressionOf(text));
}

function expressionOf(text: string): RegExp {
  const alternatives = text
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .map((phrase) => RegExp.escape(phrase).replaceAll('\\*', '\\p{L}*').replaceAll('\\x23', '\\d[\\d ]*'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
