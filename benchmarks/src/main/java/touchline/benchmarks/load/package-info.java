/**
 * Load from outside: encoders and viewers over real sockets, the server in a process of its own.
 */
@NullMarked
package touchline.benchmarks.load;

import org.jspecify.annotations.NullMarked;
