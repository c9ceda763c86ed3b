package touchline.ingest.rtmp;

import java.util.List;
import java.util.Optional;
import touchline.ingest.amf.AmfValue;

/**
 * Metadata with which an encoder announces its media. Encoders send different properties; a kind
 * counts as announced if any of its usual properties is present. Immutable, any thread.
 *
 * @param encoder its name as received; empty if absent
 */
record OnMetaData(boolean video, boolean audio, String encoder) {
    private static final String NAME = "onMetaData";
    private static final List<String> OF_VIDEO = List.of("videocodecid", "width", "videodatarate");
    private static final List<String> OF_AUDIO =
            List.of("audiocodecid", "audiosamplerate", "audiodatarate");

    /** Empty for other data messages. */
    static Optional<OnMetaData> of(RtmpMessage.Data data) {
        List<AmfValue> values = data.values();
        boolean wrapped = data.name().equals("@setDataFrame");
        if (wrapped && (values.isEmpty() || !values.getFirst().text().orElse("").equals(NAME))) {
            return Optional.empty();
        }
        if (!wrapped && !data.name().equals(NAME)) {
            return Optional.empty();
        }
        int position = wrapped ? 1 : 0;
        return position < values.size() ? Optional.of(of(values.get(position))) : Optional.empty();
    }

    private static OnMetaData of(AmfValue properties) {
        return new OnMetaData(
                announced(properties, "hasVideo", OF_VIDEO),
                announced(properties, "hasAudio", OF_AUDIO),
                properties.property("encoder").flatMap(AmfValue::text).orElse(""));
    }

    private static boolean announced(AmfValue properties, String flag, List<String> signs) {
        if (properties.property(flag).orElse(null) instanceof AmfValue.Bool(boolean said)) {
            return said;
        }
        return signs.stream().anyMatch(sign -> properties.property(sign).isPresent());
    }
}
