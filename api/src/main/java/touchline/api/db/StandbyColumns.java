package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.hub.StandbySettings;

/** The standby of a stream in the columns of its row. Stateless. */
final class StandbyColumns {
    private StandbyColumns() {}

    /** Values by the names of the parameters. */
    static Map<String, @Nullable Object> of(StandbySettings standby) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("standbyMode", standby.mode().name().toLowerCase(Locale.ROOT));
        values.put("standbyAfter", standby.after().toMillis());
        values.put("standbyImage", standby.image().orElse(null));
        return values;
    }

    static StandbySettings read(ResultSet row) throws SQLException {
        return new StandbySettings(
                StandbySettings.Mode.valueOf(
                        row.getString("standby_mode").toUpperCase(Locale.ROOT)),
                Duration.ofMillis(row.getLong("standby_after_ms")),
                Optional.ofNullable(row.getString("standby_image")),
                /* title= */ "");
    }
}
