/** What moderation costs, and how soon it is heard of. */
@NullMarked
package touchline.benchmarks.moderation;

import org.jspecify.annotations.NullMarked;
