/** The built-in test match: drawn, encoded live and pushed through real RTMP on loopback. */
@NullMarked
package touchline.api.demo;

import org.jspecify.annotations.NullMarked;
