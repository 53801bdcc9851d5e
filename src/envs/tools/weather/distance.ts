/** Kilometres between two points on the WGS 84 ellipsoid, by Vincenty's inverse formula; on the sphere where that does not converge. */
export function geodesic(latitude1: number, longitude1: number, latitude2: number, longitude2: number): number {
  const [a, f] = [6378.137, 1 / 298.257223563];
  const b = a * (1 - f);
  const rad = Math.PI / 180;
  const L = (longitude2 - longitude1) * rad;
  const [u1, u2] = [Math.atan((1 - f) * Math.tan(latitude1 * rad)), Math.atan((1 - f) * Math.tan(latitude2 * rad))];
  const [sin1, cos1, sin2, cos2] = [Math.sin(u1), Math.cos(u1), Math.sin(u2), Math.cos(u2)];
  let lambda = L;
  for (let turn = 0; turn < 200; turn++) {
    const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)];
    const sinS = Math.hypot(cos2 * sinL, cos1 * sin2 - sin1 * cos2 * cosL);
    if (sinS === 0) return 0;
    const cosS = sin1 * sin2 + cos1 * cos2 * cosL;
    const sigma = Math.atan2(sinS, cosS);
    const sinA = (cos1 * cos2 * sinL) / sinS;
    const cosA2 = 1 - sinA * sinA;
    const mid = cosA2 === 0 ? 0 : cosS - (2 * sin1 * sin2) / cosA2;
    const C = (f / 16) * cosA2 * (4 + f * (4 - 3 * cosA2));
    const last = lambda;
    lambda = L + (1 - C) * f * sinA * (sigma + C * sinS * (mid + C * cosS * (2 * mid * mid - 1)));
    if (Math.abs(lambda - last) > 1e-12) continue;
    const k = (cosA2 * (a * a - b * b)) / (b * b);
    const A = 1 + (k / 16384) * (4096 + k * (-768 + k * (320 - 175 * k)));
    const B = (k / 1024) * (256 + k * (-128 + k * (74 - 47 * k)));
    const inner = cosS * (2 * mid * mid - 1) - (B / 6) * mid * (4 * sinS * sinS - 3) * (4 * mid * mid - 3);
    return b * A * (sigma - B * sinS * (mid + (B / 4) * inner));
  }
  const half = Math.sin(((latitude2 - latitude1) * rad) / 2) ** 2;
  const h = half + Math.cos(latitude1 * rad) * Math.cos(latitude2 * rad) * Math.sin(L / 2) ** 2;
  return 2 * 6371.009 * Math.asin(Math.sqrt(Math.min(1, h)));
}
