/** Delivery of committed events to webhook endpoints and to the console. */
@NullMarked
package touchline.api.events;

import org.jspecify.annotations.NullMarked;
