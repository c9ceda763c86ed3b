package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AsciiHostsTest {
    @ParameterizedTest
    @CsvSource({
        "https://köln.example/tor?a=ü#ü, https://xn--kln-sna.example/tor?a=ü#ü",
        "https://BÜCHER.Example:8443, https://xn--bcher-kva.Example:8443",
        "http://例え.テスト/, http://xn--r8jz45g.xn--zckzah/",
        "https://a@münchen.example, https://a@xn--mnchen-3ya.example",
        "https://１２７.0.0.1/, https://127.0.0.1/",
        "https://Straße.köln。example/, https://xn--strae-oqa.xn--kln-sna.example/",
        "https://βόλος.example, https://xn--nxasmm1c.example"
    })
    void host_withOtherLetters_becomesAscii(String given, String expected) {
        assertEquals(expected, AsciiHosts.of(given));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://a.example/ü",
                "https://xn--kln-sna.example/",
                "https://[::1]/ü",
                "asset:ast_ü",
                "köln.example",
                "https://ß!.example/",
                "https://-ß.example/",
                "https://köln_.example/",
                "https:///ü",
                ""
            })
    void otherAddress_staysAsItIs(String given) {
        assertEquals(given, AsciiHosts.of(given));
    }

    @Test
    void longLabel_staysAsItIs() {
        for (String letter : new String[] {"ü", "ß"}) {
            String address = "https://" + letter.repeat(100) + ".example/";
            assertEquals(address, AsciiHosts.of(address));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bücher, bcher-kva",
        "faß, fa-hia",
        "例え, r8jz45g",
        "他们为什么不说中文, ihqwcrb4cv8a8dqg056pqjye",
        "Pročprostěnemluvíčesky, Proprostnemluvesky-uyb24dma41a"
    })
    void label_byPunycode_isThatOfTheStandard(String label, String expected) {
        assertEquals(expected, Punycode.encoded(label));
    }
}
