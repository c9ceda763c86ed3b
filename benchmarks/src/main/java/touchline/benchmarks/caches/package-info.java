/** What caches before the playback port cost its server: Varnish and nginx as deployed. */
@NullMarked
package touchline.benchmarks.caches;

import org.jspecify.annotations.NullMarked;
