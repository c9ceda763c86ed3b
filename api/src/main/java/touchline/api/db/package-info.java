/** Database access: pool, migrations, repositories. */
@NullMarked
package touchline.api.db;

import org.jspecify.annotations.NullMarked;
