/** Fuzzing of parsers: targets with oracles, short runs for the suite, long runs by Jazzer. */
@NullMarked
package touchline.testing.fuzz;

import org.jspecify.annotations.NullMarked;
