package touchline.ingest.rtmp;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.flv.FlvMuxer;
import touchline.media.CodecConfig;

/**
 * The codecs of Enhanced RTMP that a target takes, as its answer to {@code connect} says: in {@code
 * fourCcList}, {@code videoFourCcInfoMap} and {@code audioFourCcInfoMap}, where {@code *} stands
 * for all (Enhanced RTMP v2). Immutable, any thread.
 */
record PushCapabilities(Set<String> fourCcs) {
    static final PushCapabilities LEGACY = new PushCapabilities(Set.of());

    private static final String ANY = "*";
    private static final String VIDEO_MAP = "videoFourCcInfoMap";
    private static final String AUDIO_MAP = "audioFourCcInfoMap";

    PushCapabilities {
        fourCcs = Set.copyOf(fourCcs);
    }

    static PushCapabilities of(RtmpMessage.Command result) {
        Set<String> found = new HashSet<>();
        for (AmfValue each : result.arguments()) {
            if (each.property("fourCcList").orElse(null)
                    instanceof AmfValue.Array(List<AmfValue> values)) {
                values.forEach(value -> value.text().ifPresent(found::add));
            }
            addNames(each, VIDEO_MAP, found);
            addNames(each, AUDIO_MAP, found);
        }
        return new PushCapabilities(found);
    }

    private static void addNames(AmfValue from, String map, Set<String> found) {
        switch (from.property(map).orElse(AmfValue.Absent.NULL)) {
            case AmfValue.Obj(var properties) -> addNames(properties.keySet(), map, found);
            case AmfValue.EcmaArray(var properties) -> addNames(properties.keySet(), map, found);
            case AmfValue.Num _,
                    AmfValue.Bool _,
                    AmfValue.Text _,
                    AmfValue.Array _,
                    AmfValue.Date _,
                    AmfValue.Absent _ -> {}
        }
    }

    private static void addNames(Set<String> names, String map, Set<String> found) {
        names.forEach(name -> found.add(name.equals(ANY) ? map + ANY : name));
    }

    /** Whether the target takes a codec; every target takes AVC, AAC and MP3. */
    boolean takes(CodecConfig codec) {
        String anyOfKind = (codec.isVideo() ? VIDEO_MAP : AUDIO_MAP) + ANY;
        return FlvMuxer.fourCc(codec).stream()
                .allMatch(
                        code ->
                                fourCcs.contains(code)
                                        || fourCcs.contains(ANY)
                                        || fourCcs.contains(anyOfKind));
    }
}
