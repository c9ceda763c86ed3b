/** The one way out of the house: every connection made on behalf of somebody else. */
@NullMarked
package touchline.api.egress;

import org.jspecify.annotations.NullMarked;
