package touchline.ingest.rtmp;

import io.netty.channel.Channel;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import touchline.ingest.amf.AmfValue;

/** Text that a client chose, made fit for a log line. Stateless, any thread. */
final class ClientText {
    static final int MAX_CHARACTERS = 96;

    private ClientText() {}

    /**
     * At most {@link #MAX_CHARACTERS} characters of a text; controls, format characters (which turn
     * the direction of writing), separators of lines and halves of characters become {@code
     * \}{@code uXXXX}.
     */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        int end = Math.min(text.length(), MAX_CHARACTERS);
        for (int i = 0; i < end; i++) {
            char character = text.charAt(i);
            if (isPlain(character)) {
                escaped.append(character);
            } else {
                escaped.append(String.format("\\u%04x", (int) character));
            }
        }
        if (end < text.length()) {
            escaped.append('…');
        }
        return escaped.toString();
    }

    private static boolean isPlain(char character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED ->
                    false;
            default -> character != '"' && character != '\\';
        };
    }

    /** Name and version of a client as its {@code connect} says; empty if it does not. */
    static String client(AmfValue connect) {
        return connect.property("flashVer")
                .flatMap(AmfValue::text)
                .map(ClientText::escaped)
                .orElse("");
    }

    /** Address and port of the other end. */
    static String peer(Channel channel) {
        return address(channel.remoteAddress());
    }

    /** Address and port, without a name. */
    static String address(@Nullable SocketAddress of) {
        String address = String.valueOf(of);
        return address.startsWith("/") ? address.substring(1) : address;
    }
}
