/** RTMP relays from node to node. */
@NullMarked
package touchline.benchmarks.relay;

import org.jspecify.annotations.NullMarked;
