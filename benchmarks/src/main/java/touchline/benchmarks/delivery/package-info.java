/** What it costs to serve viewers, and how the server bears hostile ones. */
@NullMarked
package touchline.benchmarks.delivery;

import org.jspecify.annotations.NullMarked;
