/**
 * What spam to forms of Russian sites sells, by kind. A star stands for any ending, the rest for whole words
 * in any case, «ё» written as «е». Sellers use many of these words about goods of their own, so a phrase
 * is no verdict; words of the trade, such as «слот», «карточка» or «логотип», do not belong here.
 */
export const topics: readonly RegExp[] = [
  phrases(`
    продвиже* сайт* | продвиже* вашего сайт* | продвиже* вашего бизнес* | продвигаем | продвига* бизнес* | раскрутк*
    seo | сео | топ-3 | топ-5 | топ-10 | топ 3 | топ 10 | топе выдачи | топ выдачи | топ яндекс* | топ google | попасть в топ
    поисков* выдач* | поисковых системах | поведенческ* фактор* | посещаемост* | прогон по | накрутк*
    ссылочн* | вечные ссылки | крауд-маркетинг | отзывы на яндекс* | отзывы на авито
    контекстн* реклам* | таргетирован* | настройк* директ* | smm | лидогенераци* | чат-бот* | нейросет*
    создани* сайт* | разработк* сайт* | делаем сайты | видеоролик* | 3d-ролик* | бесплатн* аудит*
    backlink* | guest post* | sponsored article* | link building | domain authority | web design | redesign | seo-
    rank higher | google ranking | page of google | website traffic | real traffic | instagram followers | tiktok views
    explainer video* | app development
  `),
  phrases(`
    казино | casino | игров* автомат* | фриспин* | free spins | джекпот | jackpot | лотере* | фрибет | букмекер*
    ставк* на спорт | договорн* матч* | betting | 1xbet | интим* | секс | секс-* | эскорт | porn* | ищу мужчину
    viagra | виагр* | cialis | onlyfans | приворот* | снятие порчи | гадани* | вейпы | сигареты | прокси | replica
  `),
  phrases(`
    криптовалют* | crypto | bitcoin | биткоин* | btc | usdt | инвестици* | инвестируй* | пассивн* доход* | форекс | forex
    заработ* в интернете | заработ* без вложений | без вложений | трейдинг* | займ | займы | кредит* | лизинг* | факторинг*
    обнал* | вам начислен* | вам одобрен* | номер выиграл | вы выиграли | выиграй* | выплата | loan* | million dollars
    диплом спб | диплом о высшем | купить диплом* | купить аттестат* | удостоверени* | kraken | кракен | darknet | даркнет
  `),
  phrases(`
    вывод из реестра | исключени* из реестра | недобросовестн* поставщик* | рнп | сро | лицензи* мчс | лицензи* фсб
    ликвидаци* ооо | ликвидаци* фирм* | банкротств* | списани* долг* | 115-фз | готов* фирм* | готовые ооо | взыскани*
    банковск* гаранти* | тендер* | госзакуп* | исо 9001 | аккредитаци* | вашего домена | возврат ндс
  `),
  phrases(`
    баз* клиентов | баз* номеров | баз* телефонов | баз* компаний | по базе | парсинг* | обзвон* | холодн* звон*
    рассылк* по | рассылк* писем | рассылк* сообщений | email рассылк* | whatsapp рассылк* | email list* | contact forms
    горячи* лид* | перехват* клиентов | перехват* звонков | клиентов конкурентов | ваших конкурентов | контакт* конкурентов | звонк* конкурентов
    посетителей вашего сайта
    идентификаци* посетител* | вебинар* | опрос владельцев | your leads
  `),
];

/** How those turn to the owner of a site who want to sell something. Suppliers and carriers do so, too. */
export const pitch = phrases(`
  предлагаем | предлагаю | хотим предложить | хочу предложить | ваш сайт | вашего сайта | наше агентство | внедрим
  увеличим | привести клиентов | неделя бесплатно | тест бесплатно | бесплатн* аудит* | под ключ | гарантируем
  скидка | скидку | акция | приглашаем | регистрация по | пишите в телеграм | подробнее | подробности
  your website | your web site | your site | website owner | we offer | we provide | we can | we will | our team | our writers
  unsubscribe | click here | limited time | for your blog | buy | visit | contact us | can i send | see samples | book a call
  dear friend | dear sir | best price
`);

/** One expression for phrases between bars and line ends. */
function phrases(text: string): RegExp {
  const alternatives = text
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .map((phrase) => RegExp.escape(phrase).replaceAll('\\*', '\\p{L}*'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
