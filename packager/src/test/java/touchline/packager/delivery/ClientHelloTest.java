package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;

final class ClientHelloTest {
    private static final int RECORD_AND_MESSAGE_HEAD_BYTES = 9;

    /** The body of what the JDK's client sends first. */
    private static ByteBuf hello(List<String> protocols) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName("live.example.org")));
        parameters.setApplicationProtocols(protocols.toArray(String[]::new));
        engine.setSSLParameters(parameters);
        ByteBuffer sent = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), sent);
        sent.flip().position(RECORD_AND_MESSAGE_HEAD_BYTES);
        return Unpooled.wrappedBuffer(sent);
    }

    @Test
    void parse_ofTheJdksClient_hasNameAndProtocols() throws Exception {
        for (List<String> protocols :
                List.of(List.of("acme-tls/1"), List.of("h2", "http/1.1"), List.<String>of())) {
            assertEquals(
                    Optional.of(new AcmeTlsHandler.ClientHello("live.example.org", protocols)),
                    AcmeTlsHandler.ClientHello.parse(hello(protocols)));
        }
    }

    @Test
    void parse_cutAnywhere_isEmptyAndMovesNothing() throws Exception {
        ByteBuf whole = hello(List.of("acme-tls/1"));
        for (int bytes = 0; bytes < whole.readableBytes(); bytes++) {
            ByteBuf cut = whole.slice(whole.readerIndex(), bytes);
            assertEquals(Optional.empty(), AcmeTlsHandler.ClientHello.parse(cut));
            assertEquals(bytes, cut.readableBytes());
        }
    }

    @Test
    void parse_withWrongLengthsInside_doesNotFail() throws Exception {
        ByteBuf whole = hello(List.of("acme-tls/1"));
        for (int at = 34; at < whole.readableBytes(); at++) {
            ByteBuf wrong = whole.copy();
            wrong.setByte(at, 0xFF);
            assertDoesNotThrow(() -> AcmeTlsHandler.ClientHello.parse(wrong));
        }
        assertEquals(Optional.empty(), AcmeTlsHandler.ClientHello.parse(Unpooled.EMPTY_BUFFER));
    }
}
