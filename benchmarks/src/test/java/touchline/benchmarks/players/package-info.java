@NullMarked
package touchline.benchmarks.players;

import org.jspecify.annotations.NullMarked;
