/** What is left of recordings when the server is killed, again and again. */
@NullMarked
package touchline.benchmarks.crash;

import org.jspecify.annotations.NullMarked;
