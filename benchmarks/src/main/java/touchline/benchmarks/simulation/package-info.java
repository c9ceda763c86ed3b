/**
 * Ownership of streams under a scheduler with virtual time: nodes, encoders, viewers and one
 * database, with faults drawn from a seed. The code that decides is that of {@code
 * api.cluster.ownership}; what is simulated is everything around it.
 */
@NullMarked
package touchline.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
