package touchline.api.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import touchline.media.hub.Standby;
import touchline.media.hub.StandbyReason;
import touchline.media.hub.StandbySettings;

/** The standby as the API shows it. Any thread. */
public final class StandbyView {
    private static final double MS = 1_000;

    private StandbyView() {}

    /** As requested, with the defaults. */
    public static ObjectNode of(StandbySettings settings) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("mode", name(settings.mode()));
        settings.image().ifPresent(image -> json.put("image_id", image));
        double after = settings.after().toMillis() / MS;
        if (after == Math.rint(after)) {
            return json.put("after", (int) after);
        }
        return json.put("after", after);
    }

    /** While the standby writes. */
    public static ObjectNode of(Standby.Status status) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("reason", name(status.reason()))
                .put("since", status.since().getEpochSecond());
    }

    /** Its name in the API. */
    public static String name(StandbySettings.Mode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /** Its name in the API. */
    public static String name(StandbyReason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** The mode of this name. */
    public static Optional<StandbySettings.Mode> mode(String name) {
        return Arrays.stream(StandbySettings.Mode.values())
                .filter(mode -> name(mode).equals(name))
                .findFirst();
    }
}
