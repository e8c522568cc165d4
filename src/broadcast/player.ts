/** Addresses that the pages' content-security policy lets a player come from. */
export const embeddable = /^https:/i;

/** Files that a browser plays by itself; any other address is a page with a player of its own. */
export const videoFile = /\.(mp4|webm|m3u8)([?#]|$)/i;
