/** The programme while no encoder sends: standby of running sessions, slates and their images. */
@NullMarked
package touchline.api.programme;

import org.jspecify.annotations.NullMarked;
