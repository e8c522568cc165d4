/** Stands on the root element of a document that has learnt of a newer edition. */
export const outdatedClass = 'outdated';
