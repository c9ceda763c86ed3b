/** Live sessions joined to the database: start, program, recording, end; and who may publish. */
@NullMarked
package touchline.api.session;

import org.jspecify.annotations.NullMarked;
