package touchline.packager.hls;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import touchline.media.CodecConfig;
import touchline.media.hub.TrackLabel;

/**
 * The audio renditions of a multivariant playlist (draft-pantos-hls-rfc8216bis-20, 4.4.6.1): all
 * audio of its variants. Immutable, any thread.
 *
 * @param members the source's own audio first
 */
record AudioGroup(List<Member> members) {
    /** The audio is in the variants: nothing is written. */
    static final AudioGroup NONE = new AudioGroup(List.of());

    private static final String ID = "audio";

    AudioGroup {
        members = List.copyOf(members);
    }

    /**
     * @param label with a name that no other member has
     */
    record Member(TrackLabel label, CodecConfig codec, String uri, long peakBps, long averageBps) {}

    boolean isEmpty() {
        return members.isEmpty();
    }

    /** EXT-X-MEDIA lines. */
    String lines() {
        StringBuilder out = new StringBuilder();
        Set<String> languages = new HashSet<>();
        boolean isFirst = true;
        for (Member each : members) {
            // Members that a player chooses by itself differ in their language.
            boolean ownLanguage = languages.add(each.label().language());
            line(out, each, isFirst, isFirst || ownLanguage);
            isFirst = false;
        }
        return out.toString();
    }

    private static void line(
            StringBuilder out, Member member, boolean isDefault, boolean isSelectable) {
        out.append("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"").append(ID);
        out.append("\",NAME=\"").append(member.label().name()).append('"');
        if (!member.label().language().isEmpty()) {
            out.append(",LANGUAGE=\"").append(member.label().language()).append('"');
        }
        out.append(",DEFAULT=").append(isDefault ? "YES" : "NO");
        out.append(",AUTOSELECT=").append(isSelectable ? "YES" : "NO");
        channels(member.codec())
                .ifPresent(count -> out.append(",CHANNELS=\"").append(count).append('"'));
        out.append(",URI=\"").append(member.uri()).append("\"\n");
    }

    private static OptionalInt channels(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Aac(var config) -> OptionalInt.of(config.channels());
            case CodecConfig.Opus(var config) -> OptionalInt.of(config.channels());
            case CodecConfig.Mp3(int _, int channels) -> OptionalInt.of(channels);
            case CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ -> OptionalInt.empty();
        };
    }

    /** Attribute of EXT-X-STREAM-INF, with its comma; empty without members. */
    String attribute() {
        return isEmpty() ? "" : ",AUDIO=\"" + ID + '"';
    }

    /** A variant's codecs, with those of all members (4.4.6.2). */
    List<CodecConfig> with(List<CodecConfig> ofVariant) {
        List<CodecConfig> all = new ArrayList<>(ofVariant);
        for (Member each : members) {
            boolean known =
                    all.stream().anyMatch(codec -> codec.rfc6381().equals(each.codec().rfc6381()));
            if (!known) {
                all.add(each.codec());
            }
        }
        return all;
    }

    /** What the largest member adds to the bit rate of a variant (4.4.6.2). */
    long peakBps() {
        return members.stream().mapToLong(Member::peakBps).max().orElse(0);
    }

    /** The same of the average bit rate. */
    long averageBps() {
        return members.stream().mapToLong(Member::averageBps).max().orElse(0);
    }
}
