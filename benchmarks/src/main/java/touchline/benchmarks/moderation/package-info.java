/** The time from a frame to its verdict, its webhook and its release by a gate. */
@NullMarked
package touchline.benchmarks.moderation;

import org.jspecify.annotations.NullMarked;
