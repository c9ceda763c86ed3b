/** Rules for outgoing connections: the network addresses that the server may reach. */
@NullMarked
package touchline.media.net;

import org.jspecify.annotations.NullMarked;
