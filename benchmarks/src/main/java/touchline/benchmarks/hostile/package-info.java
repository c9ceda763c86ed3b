/** All attacks of docs/security.md at once against one small server. */
@NullMarked
package touchline.benchmarks.hostile;

import org.jspecify.annotations.NullMarked;
