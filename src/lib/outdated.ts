/** Set on the root element once a newer build is found. */
export const outdatedClass = 'outdated';
