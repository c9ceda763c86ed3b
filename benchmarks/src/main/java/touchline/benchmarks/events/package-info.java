/** How fast and how reliably events reach webhook endpoints. */
@NullMarked
package touchline.benchmarks.events;

import org.jspecify.annotations.NullMarked;
