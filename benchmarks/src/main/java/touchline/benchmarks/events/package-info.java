/** How fast and how surely events reach webhook endpoints. */
@NullMarked
package touchline.benchmarks.events;

import org.jspecify.annotations.NullMarked;
