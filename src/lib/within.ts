/** @throws if the work takes longer; it is not cancelled */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
