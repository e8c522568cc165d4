/** Class of the root element once the page knows of a newer build. */
export const outdatedClass = 'outdated';
