package touchline.ingest.rtmp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.ingest.amf.AmfValue;
import touchline.media.hub.TrackLabel;
import touchline.media.hub.TrackNumber;

/**
 * Metadata with which an encoder announces its media. Encoders send different properties; a kind
 * counts as announced if any of its usual properties is present. Immutable, any thread.
 *
 * @param encoder its name as received; empty if absent
 * @param labels what it says about its tracks (Enhanced RTMP v2, "Enhancing onMetaData")
 */
record OnMetaData(
        boolean video, boolean audio, String encoder, Map<TrackNumber, TrackLabel> labels) {
    private static final String NAME = "onMetaData";
    private static final int MAX_TRACK_ID = 255;
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
                properties.property("encoder").flatMap(AmfValue::text).orElse(""),
                labels(properties));
    }

    private static Map<TrackNumber, TrackLabel> labels(AmfValue properties) {
        Map<TrackNumber, TrackLabel> labels = new HashMap<>();
        // Metadata of the first tracks stands at the top; a title there is that of the stream.
        TrackLabel first = TrackLabel.of(text(properties, "language", "lang"), "");
        if (!first.equals(TrackLabel.NONE)) {
            labels.put(new TrackNumber(false, 0), first);
        }
        for (boolean video : List.of(true, false)) {
            AmfValue map =
                    properties
                            .property(video ? "videoTrackIdInfoMap" : "audioTrackIdInfoMap")
                            .orElse(AmfValue.Absent.NULL);
            for (int id = 0; id <= MAX_TRACK_ID; id++) {
                TrackNumber number = new TrackNumber(video, id);
                map.property(Integer.toString(id))
                        .flatMap(OnMetaData::label)
                        .ifPresent(each -> labels.put(number, each));
            }
        }
        return Map.copyOf(labels);
    }

    /** The standard names no property for the language; these are in use. */
    private static Optional<TrackLabel> label(AmfValue properties) {
        TrackLabel label =
                TrackLabel.of(
                        text(properties, "language", "lang"),
                        text(properties, "title", "name", "label"));
        return Optional.of(label).filter(each -> !each.equals(TrackLabel.NONE));
    }

    private static String text(AmfValue properties, String... names) {
        for (String name : names) {
            Optional<String> found = properties.property(name).flatMap(AmfValue::text);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return "";
    }

    private static boolean announced(AmfValue properties, String flag, List<String> signs) {
        if (properties.property(flag).orElse(null) instanceof AmfValue.Bool(boolean said)) {
            return said;
        }
        return signs.stream().anyMatch(sign -> properties.property(sign).isPresent());
    }
}
