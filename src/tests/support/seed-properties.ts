import fc from 'fast-check';

/*
 * Jest runs this before each suite. To repeat the report of a failed property, set `PROPERTY_SEED` to the seed that it
 * names; another number tries other values.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) });
