/** Several servers on one database: kills and outages under load, and a judge of what was seen. */
@NullMarked
package touchline.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
