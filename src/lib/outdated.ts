/** Set on the root element once there is a newer build. */
export const outdatedClass = 'outdated';
