/** Outgoing connections to addresses that clients gave. */
@NullMarked
package touchline.api.egress;

import org.jspecify.annotations.NullMarked;
