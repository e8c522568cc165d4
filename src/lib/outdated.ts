/** Stands on the root element of a document that has learnt of a newer build. */
export const outdatedClass = 'outdated';
