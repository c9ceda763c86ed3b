/** Sessions joined to the persisted world, tested without sockets. */
@NullMarked
package touchline.api.session;

import org.jspecify.annotations.NullMarked;
